using Larder.Tuner.Processes;

namespace Larder.Tuner;

/// <summary>The command that this process was started with.</summary>
internal static class CommandLine
{
    /// <summary>As typed, but for an option that says where output goes; what a shell would read otherwise in quotes.</summary>
    public static string Typed(string outputOption)
    {
        var arguments = Environment.GetCommandLineArgs().Skip(1).ToList();
        if (arguments.IndexOf(outputOption) is >= 0 and var at)
        {
            arguments.RemoveRange(at, Math.Min(2, arguments.Count - at));
        }

        return "./larder " + string.Join(' ', arguments.Select(ServerAddress.WithoutToken).Select(argument => argument.AsSpan().ContainsAny(" <>") ? $"\"{argument}\"" : argument));
    }

    /// <summary>A value that must be one of these.</summary>
    /// <exception cref="FormatException">It is not.</exception>
    public static string OneOf(string text, string option, params string[] known) =>
        known.Contains(text) ? text : throw new FormatException($"{option} is one of {string.Join(", ", known)}; not \"{text}\"");

    /// <summary>Values with commas between them.</summary>
    public static string[] List(string text) => text.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
}
