using Larder.Tuner.Processes;

namespace Larder.Tuner;

/// <summary>The command line of this process.</summary>
internal static class CommandLine
{
    // The values of these options may contain a token before the @. In other values, such as 5000@default, the text before an @ is not a token.
    private static readonly string[] s_addresses = ["--server", "--console"];

    /// <summary>Returns the command line as typed, without the output option and without tokens, quoted for a shell where needed.</summary>
    public static string Typed(string outputOption) => Typed([.. Environment.GetCommandLineArgs().Skip(1)], outputOption);

    /// <summary>Returns the given command line without the output option and without tokens, quoted for a shell where needed.</summary>
    public static string Typed(List<string> arguments, string outputOption)
    {
        if (arguments.IndexOf(outputOption) is >= 0 and var at)
        {
            arguments.RemoveRange(at, Math.Min(2, arguments.Count - at));
        }

        IEnumerable<string> shown = arguments.Select((argument, index) => IsAddress(arguments, index) ? ServerAddress.WithoutToken(argument) : argument);
        return Programs.Launcher + " " + string.Join(' ', shown.Select(argument => argument.AsSpan().ContainsAny(" <>") ? $"\"{argument}\"" : argument));
    }

    private static bool IsAddress(List<string> arguments, int index) =>
        Array.Exists(s_addresses, option => arguments[index].StartsWith(option, StringComparison.Ordinal) || (index > 0 && arguments[index - 1] == option));

    /// <summary>Returns the value if it is a known value.</summary>
    /// <exception cref="FormatException">The value is unknown.</exception>
    public static string OneOf(string text, string option, params string[] known) =>
        known.Contains(text) ? text : throw new FormatException($"{option} must be one of {string.Join(", ", known)}, but is \"{text}\"");

    /// <summary>Splits a list of values separated by commas.</summary>
    public static string[] List(string text) => text.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
}
