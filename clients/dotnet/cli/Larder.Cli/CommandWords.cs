using System.Text.Unicode;

namespace Larder.Cli;

/// <summary>The words that the program was started with, as the system has them.</summary>
internal static class CommandWords
{
    private const char Replacement = '\uFFFD';
    private const string Raw = "/proc/self/cmdline";

    /// <summary>
    /// Whether a word was no UTF-8, so that .NET put a replacement for some of its bytes: a key or value of it would not be the one that was typed.
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
            // No Linux: the replacement may have been typed.
            return false;
        }
    }
}
