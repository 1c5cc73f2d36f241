using System.Text.Unicode;

namespace Larder.Cli;

/// <summary>Checks the program's arguments as the system passes them, before .NET decodes them.</summary>
internal static class CommandNames
{
    private const char Replacement = '\uFFFD';
    private const string Raw = "/proc/self/cmdline";

    /// <summary>
    /// Returns whether an argument is not valid UTF-8, so that .NET has replaced some of its bytes. A key or a value from this argument would differ from what
    /// the user typed.
    /// </summary>
    public static bool HaveLostBytes(IEnumerable<string> words)
    {
        if (!words.Any(static word => word.Contains(Replacement, StringComparison.Ordinal)))
        {
            return false;
        }

        try
        {
            return !Utf8.IsValid(File.ReadAllBytes(Raw));
        }
        catch (IOException)
        {
            // The system is not Linux, so the raw bytes are not available. This is not reported as an error, because the user may have typed the replacement
            // character.
            return false;
        }
    }
}
