using System.Text.Unicode;

namespace Larder.Cli;

/// <summary>The program's arguments as raw bytes from the system.</summary>
internal static class CommandNames
{
    private const char Replacement = '\uFFFD';
    private const string Raw = "/proc/self/cmdline";

    /// <summary>
    /// Returns whether an argument was not valid UTF-8, so that .NET replaced some of its bytes. A key or value from it would differ from the one that was
    /// typed.
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
            // This is not Linux. The user may have typed the replacement character.
            return false;
        }
    }
}
