using Larder.Tool;

namespace Larder.Native;

/// <summary>The output of <c>larder help</c>.</summary>
internal static class Usage
{
    public const string Text = $"""
        {CommandList.Title}

        Run a cache
        {CommandList.Serve}
        {CommandList.Use}
        Other
          help  --version

        The .NET tool larder also has tune, bench and quickstart. Larder's repository has them as ./larder tune.
        """;

    /// <summary>Returns the error for a command that only the .NET tool has.</summary>
    public static string Missing(string command) =>
        $"error: the native program does not contain the command '{command}'; install the .NET tool larder, or run ./larder {command} in Larder's repository.";
}
