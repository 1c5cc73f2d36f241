using System.CommandLine.Parsing;
using System.Globalization;

namespace Larder.Cli;

/// <summary>Parses numbers of options and arguments. Error messages describe the expected number in plain words, not by the name of a .NET type.</summary>
internal static class Number
{
    // The longest TTL in seconds that any server accepts: 365 days (TTL-15).
    private const double MaxSeconds = 31_536_000;

    // The longest timeout of a call in milliseconds: 1 h (CONFIG-2).
    private const int MaxMilliseconds = 3_600_000;

    private const NumberStyles ScoreStyle = NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent;

    public static long Whole(ArgumentResult result)
    {
        TryWhole(result, out long number);
        return number;
    }

    /// <summary>Parses a number of 1 or more.</summary>
    public static long Count(ArgumentResult result)
    {
        if (TryWhole(result, out long number) && number < 1)
        {
            result.AddError($"{Name(result)} must be at least 1, but is {number}");
        }

        return number;
    }

    /// <summary>Parses a number from 1 to 2,147,483,647.</summary>
    public static int SmallCount(ArgumentResult result)
    {
        if (!int.TryParse(Text(result), NumberStyles.None, CultureInfo.InvariantCulture, out int number) || number == 0)
        {
            result.AddError($"{Name(result)} must be a whole number from 1 to {int.MaxValue}, but is '{TerminalText.OfText(Text(result))}'");
        }

        return number;
    }

    /// <summary>Parses an index. A negative index counts from the end.</summary>
    public static int? Index(ArgumentResult result)
    {
        if (int.TryParse(Text(result), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int number))
        {
            return number;
        }

        result.AddError($"{Name(result)} must be a whole number from {int.MinValue} to {int.MaxValue}, but is '{TerminalText.OfText(Text(result))}'");
        return null;
    }

    public static double? Score(ArgumentResult result)
    {
        if (TryScore(Text(result), out double number))
        {
            return number;
        }

        result.AddError($"{Name(result)} must be a number, inf or -inf, but is '{TerminalText.OfText(Text(result))}'");
        return null;
    }

    /// <summary>Parses a number, <c>inf</c> or <c>-inf</c>. Rejects a number that exceeds the range of a double and would become infinite.</summary>
    public static bool TryScore(string word, out double score)
    {
        score = word.ToUpperInvariant() switch
        {
            "INF" or "+INF" or "INFINITY" or "+INFINITY" => double.PositiveInfinity,
            "-INF" or "-INFINITY" => double.NegativeInfinity,
            _ => double.NaN,
        };
        return double.IsInfinity(score) || (double.TryParse(word, ScoreStyle, CultureInfo.InvariantCulture, out score) && double.IsFinite(score));
    }

    public static int Milliseconds(ArgumentResult result)
    {
        if (!int.TryParse(Text(result), NumberStyles.None, CultureInfo.InvariantCulture, out int number) || number is 0 or > MaxMilliseconds)
        {
            result.AddError($"{Name(result)} must be 1 to {MaxMilliseconds} milliseconds, but is '{Text(result)}'");
        }

        return number;
    }

    public static TimeSpan? Seconds(ArgumentResult result)
    {
        if (double.TryParse(Text(result), NumberStyles.Float, CultureInfo.InvariantCulture, out double seconds) && seconds is > 0 and <= MaxSeconds)
        {
            return TimeSpan.FromSeconds(seconds);
        }

        result.AddError($"{Name(result)} must be greater than 0 and at most {MaxSeconds} seconds, but is '{Text(result)}'");
        return null;
    }

    private static bool TryWhole(ArgumentResult result, out long number)
    {
        bool isWhole = long.TryParse(Text(result), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out number);
        if (!isWhole)
        {
            result.AddError($"{Name(result)} must be a whole number, but is '{Text(result)}'");
        }

        return isWhole;
    }

    private static string Text(ArgumentResult result) => result.Tokens is [Token token, ..] ? token.Value : "";

    private static string Name(ArgumentResult result) => result.Parent is OptionResult option ? option.Option.Name : result.Argument.Name;
}
