using System.Diagnostics;
using System.Globalization;

namespace Larder.Redis.Tests;

/// <summary>Redis's own client, for what a test does behind a store's back.</summary>
internal static class RedisCli
{
    /// <summary>Runs it; what it prints.</summary>
    public static string Run(IEnumerable<string> words, int port)
    {
        ProcessStartInfo start = new("redis-cli") { RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (string word in words.Prepend(port.ToString(CultureInfo.InvariantCulture)).Prepend("-p"))
        {
            start.ArgumentList.Add(word);
        }

        using Process process = Process.Start(start)!;
        string text = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return text.TrimEnd();
    }
}
