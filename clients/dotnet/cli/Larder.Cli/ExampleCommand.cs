using System.CommandLine;

namespace Larder.Cli;

/// <summary>A command whose help ends with examples.</summary>
/// <param name="name">The command's name.</param>
/// <param name="description">The description in the help: one sentence.</param>
/// <param name="examples">Complete command lines.</param>
internal sealed class ExampleCommand(string name, string description, params string[] examples) : Command(name, description)
{
    public IReadOnlyList<string> Examples { get; } = examples;
}
