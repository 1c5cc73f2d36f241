using Larder.FileStore.Engine;

namespace Larder.FileStore.Cli;

/// <summary>The command <c>larder file check</c>: verifies every line of a cache file.</summary>
internal static class CheckCommand
{
    internal static int Run(FileInfo file)
    {
        LogInspection inspection = LogInspection.Of(file.FullName);
        if (!IsReadable(inspection))
        {
            return 1;
        }
        foreach ((long offset, int length) in inspection.DamagedRegions)
        {
            Console.WriteLine($"damaged at byte {offset}: {length} bytes");
        }
        if (inspection.TornBytes > 0)
        {
            Console.WriteLine($"torn end: {inspection.TornBytes} bytes (a write cut short, or one in progress)");
        }
        bool whole = inspection.DamagedRegions.Count == 0;
        Console.WriteLine(
            $"{(whole ? "whole" : "damaged")}: {Count.OfLines(inspection.Lines)}, {Count.OfEntries(inspection.Live.Count())}, {inspection.Expired} expired, "
                + $"{inspection.FileBytes} bytes, generation {inspection.Header.Generation}, {(inspection.Header.Polled ? "polled" : "local")}");
        return whole ? 0 : 1;
    }

    /// <summary>Returns whether the file is a cache file with a valid header. If not, prints the reason to standard error.</summary>
    internal static bool IsReadable(LogInspection inspection)
    {
        if (inspection.Verdict == HeaderVerdict.Good)
        {
            return true;
        }
        Console.Error.WriteLine(inspection.Verdict switch
        {
            HeaderVerdict.Empty => $"{inspection.Path} is empty.",
            HeaderVerdict.Newer => $"{inspection.Path} was written by a newer version of the file store.",
            HeaderVerdict.Damaged =>
                $"{inspection.Path} has a damaged first line; {inspection.Lines} lines after it are readable. 'larder file export' saves them.",
            _ => $"{inspection.Path} is not a cache file of the file store.",
        });
        return false;
    }
}
