using System.CommandLine;

namespace Larder.Cli;

/// <summary>A command whose help ends with examples.</summary>
/// <param name="name">What is typed.</param>
/// <param name="description">One sentence.</param>
/// <param name="examples">Whole command lines, as they are typed.</param>
internal sealed class ExampleCommand(string name, string description, params string[] examples) : Command(name, description)
{
    public IReadOnlyList<string> Examples { get; } = examples;
}
