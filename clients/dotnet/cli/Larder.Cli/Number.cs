using System.CommandLine.Parsing;
using System.Globalization;

namespace Larder.Cli;

/// <summary>Reads an option's or argument's number, and refuses what is none in words rather than by a type's name.</summary>
internal static class Number
{
    // The longest that any server takes: 365 days (TTL-15).
    private const double MostSeconds = 31_536_000;

    // The longest deadline of a call: 1 h (CONFIG-2).
    private const int MostMilliseconds = 3_600_000;

    public static long Whole(ArgumentResult result)
    {
        if (!long.TryParse(Text(result), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long number))
        {
            result.AddError($"'{Text(result)}' is no whole number ({Name(result)})");
        }

        return number;
    }

    public static int Milliseconds(ArgumentResult result)
    {
        if (!int.TryParse(Text(result), NumberStyles.None, CultureInfo.InvariantCulture, out int number) || number is 0 or > MostMilliseconds)
        {
            result.AddError($"'{Text(result)}' is no number of milliseconds from 1 to {MostMilliseconds} ({Name(result)})");
        }

        return number;
    }

    public static TimeSpan? Seconds(ArgumentResult result)
    {
        if (double.TryParse(Text(result), NumberStyles.Float, CultureInfo.InvariantCulture, out double seconds) && seconds is > 0 and <= MostSeconds)
        {
            return TimeSpan.FromSeconds(seconds);
        }

        result.AddError($"'{Text(result)}' is no time to live in seconds: a number over 0, at most {MostSeconds} ({Name(result)})");
        return null;
    }

    private static string Text(ArgumentResult result) => result.Tokens[0].Value;

    private static string Name(ArgumentResult result) => result.Parent is OptionResult option ? option.Option.Name : result.Argument.Name;
}
