using System.Globalization;
using Larder.FileStore.Engine;
using Spectre.Console;

namespace Larder.FileStore.Cli;

/// <summary>The command <c>larder file show</c>: prints the entries as a table.</summary>
internal static class ShowCommand
{
    private const int MaxValueCharacters = 60;

    internal static int Run(FileInfo file, string prefix, int most)
    {
        LogInspection inspection = LogInspection.Of(file.FullName);
        if (!CheckCommand.IsReadable(inspection))
        {
            return 1;
        }
        List<Operation> entries =
        [
            .. inspection.Live.Where(e => e.Key.StartsWith(prefix, StringComparison.Ordinal)).OrderBy(e => e.Key, StringComparer.Ordinal),
        ];
        Table table = new Table().AddColumns("key", "value", "expires (UTC)", "sliding");
        foreach (Operation entry in entries.Take(most))
        {
            table.AddRow(Markup.Escape(entry.Key), Markup.Escape(ValueOf(entry)), Moment(entry.ExpiresMs), Span(entry.SlidingMs));
        }
        AnsiConsole.Write(table);
        string notShown = entries.Count > most ? string.Create(CultureInfo.InvariantCulture, $" ({most} shown; pass --most to see more)") : "";
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{Count.OfEntries(entries.Count)}{notShown}, {inspection.Expired} expired, {inspection.FileBytes} bytes, generation "
                    + $"{inspection.Header.Generation}"));
        return 0;
    }

    internal static string Moment(long unixMs) => unixMs switch
    {
        0 => "",
        > 253_402_300_799_999 => "after 9999",
        _ => DateTimeOffset.FromUnixTimeMilliseconds(unixMs).ToString("yyyy-MM-dd HH:mm:ss.fff", CultureInfo.InvariantCulture),
    };

    private static string Span(long ms) => ms == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $"{ms / 1000.0} s");

    private static string ValueOf(in Operation entry)
    {
        string text = entry.Value as string ?? "base64 " + Convert.ToBase64String((byte[])entry.Value!);
        return text.Length <= MaxValueCharacters
            ? text
            : text[..MaxValueCharacters] + string.Create(CultureInfo.InvariantCulture, $"… ({text.Length} characters)");
    }
}
