using Larder.Tuner.Processes;

namespace Larder.Tuner;

/// <summary>The command that this process was started with.</summary>
internal static class CommandLine
{
    // Their addresses may hold a token; an @ elsewhere, as in 5000@default, is none.
    private static readonly string[] s_addresses = ["--server", "--console"];

    /// <summary>As typed, but for an option that says where output goes; what a shell would read otherwise in quotes, and no token.</summary>
    public static string Typed(string outputOption) => Typed([.. Environment.GetCommandLineArgs().Skip(1)], outputOption);

    /// <summary>The same of these arguments.</summary>
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

    /// <summary>A value that must be one of these.</summary>
    /// <exception cref="FormatException">It is not.</exception>
    public static string OneOf(string text, string option, params string[] known) =>
        known.Contains(text) ? text : throw new FormatException($"{option} is one of {string.Join(", ", known)}; not \"{text}\"");

    /// <summary>Values with commas between them.</summary>
    public static string[] List(string text) => text.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
}
