"""PPO of Stable-Baselines3 on upstream's symbolic observation: pip install stable-baselines3."""

from typing import Any

import gymnasium as gym
from stable_baselines3 import PPO
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv

import craftax_text_gym

gym.register_envs(craftax_text_gym)


def make_env() -> Any:
    """Make one monitored environment."""
    return Monitor(gym.make("CraftaxClassicText-v0", obs_mode="symbolic", max_episode_steps=500))


model = PPO("MlpPolicy", DummyVecEnv([make_env] * 4), n_steps=128, batch_size=128, seed=0)
model.learn(total_timesteps=2048)

env = make_env()
observation, info = env.reset(seed=0)
terminated = truncated = False
while not (terminated or truncated):
    action, _ = model.predict(observation)
    observation, reward, terminated, truncated, info = env.step(action)
print(env.get_episode_rewards()[-1], info["achievements"].sum(), "achievements", sep="\n")
