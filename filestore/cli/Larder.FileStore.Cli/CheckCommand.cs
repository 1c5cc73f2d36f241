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
            Console.WriteLine($"damaged: {length} bytes at offset {offset}");
        }
        if (inspection.TornBytes > 0)
        {
            Console.WriteLine($"incomplete write at the end: {inspection.TornBytes} bytes (the write was interrupted or is still in progress)");
        }
        bool whole = inspection.DamagedRegions.Count == 0;
        Console.WriteLine(
            $"{(whole ? "intact" : "damaged")}: {Count.OfLines(inspection.Lines)}, {Count.OfEntries(inspection.Live.Count())}, {inspection.Expired} expired, "
                + $"{inspection.FileBytes} bytes, generation {inspection.Header.Generation}, {(inspection.Header.Polled ? "polled mode" : "local mode")}");
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
            HeaderVerdict.Newer => $"{inspection.Path} was written by a newer version of the file store. Update this tool.",
            HeaderVerdict.Damaged =>
                $"{inspection.Path} has a damaged first line; {inspection.Lines} lines after it are readable. Save them with 'larder file export'.",
            _ => $"{inspection.Path} is not a cache file of the file store.",
        });
        return false;
    }
}
