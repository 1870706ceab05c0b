import random

import gymnasium as gym

import craftax_text_gym

gym.register_envs(craftax_text_gym)
env = gym.make("CraftaxText-v0", max_episode_steps=200)
observation, info = env.reset(seed=0)
terminated = truncated = False
while not (terminated or truncated):
    names = [name for name, free in zip(env.action_space.names, info["action_mask"], strict=True) if free]
    action = random.choice(names)  # here your model reads the observation and answers with a name
    observation, reward, terminated, truncated, info = env.step(action)
print(observation, info["achievements"].sum(), "achievements", sep="\n")
