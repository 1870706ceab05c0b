"""GRPO of TRL: a model learns Craftax-Classic by calling the tool `act`: python trl_grpo.py --model MODEL.

The model's chat template must know tools, as Qwen3's does, and a model that is worth training needs a GPU. An episode
is one conversation, and a turn takes about 150 tokens of it: raise `--tokens` with `--game-steps`.
"""

import argparse
import functools
import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")  # the game leaves the GPU to the model

try:
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer
except ImportError as error:
    raise SystemExit(f'{error}. Run: pip install "trl>=1.16" "transformers>=5.2" jmespath') from error

from craftax_text_gym.integrations.trl import ClassicEnvironment, rows

parser = argparse.ArgumentParser(description="Train a model to play Craftax-Classic.")
parser.add_argument("--model", default="Qwen/Qwen3-0.6B", help="a name on the Hub, or a folder")
parser.add_argument("--output", default="grpo", help="folder for checkpoints and the trained model")
parser.add_argument("--updates", type=int, default=200, help="how often the model is updated")
parser.add_argument("--worlds", type=int, default=1000, help="how many worlds it plays in")
parser.add_argument("--episodes", type=int, default=8, help="how many episodes in one world are compared at an update")
parser.add_argument("--game-steps", type=int, default=20, help="the step at which an episode ends")
parser.add_argument("--tokens", type=int, default=4096, help="how long a conversation may grow after its first message")
parser.add_argument("--learning-rate", type=float, default=1e-6)
parser.add_argument("--cpu", action="store_true", help="do without a GPU, to try it with a tiny model")
options = parser.parse_args()

config = GRPOConfig(
    output_dir=options.output,
    max_steps=options.updates,
    num_generations=options.episodes,
    per_device_train_batch_size=options.episodes,
    max_completion_length=options.tokens,
    max_tool_calling_iterations=options.game_steps,
    chat_template_kwargs={"enable_thinking": False},  # thoughts would soon fill the conversation
    learning_rate=options.learning_rate,
    use_cpu=options.cpu,
    bf16=not options.cpu,
    logging_steps=1,
    report_to="none",
)
trainer = GRPOTrainer(
    model=options.model,
    args=config,
    train_dataset=Dataset.from_list(rows("classic", range(options.worlds), max_steps=options.game_steps)),
    environment_factory=functools.partial(
        ClassicEnvironment, max_steps=options.game_steps
    ),  # which has the reward, too
)
trainer.train()
trainer.save_model()
rewards = [entry["reward"] for entry in trainer.state.log_history if "reward" in entry]
print(f"reward of an episode: {rewards[0]:.2f} at the first update, {rewards[-1]:.2f} at the last")
