using Larder.FileStore.Engine;

namespace Larder.FileStore.Cli;

/// <summary>larder file list: the keys, one a line, sorted.</summary>
internal static class ListCommand
{
    internal static int Run(FileInfo file, string prefix)
    {
        LogInspection inspection = LogInspection.Of(file.FullName);
        if (!CheckCommand.IsReadable(inspection))
        {
            return 1;
        }
        foreach (string key in inspection.Live.Select(e => e.Key).Where(k => k.StartsWith(prefix, StringComparison.Ordinal)).Order(StringComparer.Ordinal))
        {
            Console.WriteLine(key);
        }
        return 0;
    }
}
