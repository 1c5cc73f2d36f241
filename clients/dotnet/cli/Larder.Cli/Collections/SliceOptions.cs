using System.CommandLine;

namespace Larder.Cli;

/// <summary>The options for a range of indices of an ordered collection.</summary>
internal sealed class SliceOptions
{
    private readonly Option<int?> _start = new("--start")
    {
        Description = "Index of the first value, from 0; a negative index counts from the end",
        HelpName = "index",
        CustomParser = Number.Index,
    };

    private readonly Option<int?> _end = new("--end")
    {
        Description = "Index after the last value; a negative index counts from the end",
        HelpName = "index",
        CustomParser = Number.Index,
    };

    public void AddTo(Command command)
    {
        command.Add(_start);
        command.Add(_end);
    }

    public int? StartOf(ParseResult parsed) => parsed.GetValue(_start);

    public int? EndOf(ParseResult parsed) => parsed.GetValue(_end);
}
