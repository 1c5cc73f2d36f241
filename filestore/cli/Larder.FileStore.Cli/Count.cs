using System.Globalization;

namespace Larder.FileStore.Cli;

/// <summary>Formats a count with its noun in singular or plural, for example "1 entry" or "2 entries".</summary>
internal static class Count
{
    internal static string OfEntries(long count) => Of(count, "entry", "entries");

    internal static string OfLines(long count) => Of(count, "line", "lines");

    private static string Of(long count, string one, string many) => string.Create(CultureInfo.InvariantCulture, $"{count} {(count == 1 ? one : many)}");
}
