using System.CommandLine;
using Larder.Client;

namespace Larder.Cli;

/// <summary>The options for a range of scores. They cannot be combined with a range of indices.</summary>
internal sealed class ScoreRangeOptions
{
    private readonly Option<double?> _min = new("--min")
    {
        Description = "Minimum score, inclusive: a number, inf or -inf",
        HelpName = "score",
        CustomParser = Number.Score,
    };

    private readonly Option<double?> _max = new("--max")
    {
        Description = "Maximum score, inclusive: a number, inf or -inf",
        HelpName = "score",
        CustomParser = Number.Score,
    };

    public void AddTo(Command command)
    {
        command.Add(_min);
        command.Add(_max);
        command.Validators.Add(result =>
        {
            if ((result.GetResult(_min) ?? result.GetResult(_max)) is not null
                && (result.GetResult("--start") ?? result.GetResult("--end")) is not null)
            {
                result.AddError("--min and --max cannot be combined with --start and --end");
            }
        });
    }

    /// <summary>Returns whether one of the options is given.</summary>
    public bool IsGiven(ParseResult parsed) => (parsed.GetValue(_min) ?? parsed.GetValue(_max)) is not null;

    public ScoreBound? MinOf(ParseResult parsed) => parsed.GetValue(_min) is { } score ? ScoreBound.Inclusive(score) : null;

    public ScoreBound? MaxOf(ParseResult parsed) => parsed.GetValue(_max) is { } score ? ScoreBound.Inclusive(score) : null;
}
