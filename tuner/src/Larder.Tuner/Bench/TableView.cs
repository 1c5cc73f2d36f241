using System.Globalization;
using System.Text.Json.Nodes;
using Spectre.Console;

namespace Larder.Tuner.Bench;

/// <summary>
/// A table that is updated on the terminal while the sweep runs. If stdout is redirected, each row is written to stderr when it is complete, and the table is
/// printed once at the end.
/// </summary>
internal sealed class TableView : IBenchView
{
    /// <summary>The width of a terminal that fits all columns.</summary>
    private const int WidthOfAll = 200;

    private readonly Func<IReadOnlySet<string>> _peers;
    private readonly Func<IReadOnlyList<BenchRow>, IReadOnlySet<string>, IReadOnlyList<BenchColumn>> _columns;
    private readonly List<BenchRow> _rows = [];
    private LiveDisplayContext? _live;
    private string _status = "starting";

    /// <summary>Creates a table with ratios to the given peers. All columns are shown unless <paramref name="columns"/> selects some.</summary>
    public TableView(Func<IReadOnlySet<string>> peers, Func<IReadOnlyList<BenchRow>, IReadOnlySet<string>, IReadOnlyList<BenchColumn>>? columns = null)
    {
        _peers = peers;
        _columns = columns ?? (AnsiConsole.Profile.Width >= WidthOfAll ? BenchColumn.For : BenchColumn.Narrow);
    }

    /// <summary>
    /// Shows the table while <paramref name="work"/> runs, and leaves it on the screen at the end. <paramref name="mark"/> selects the row to highlight at the
    /// end.
    /// </summary>
    public async Task ShowAsync(Func<Task> work, Func<IReadOnlyList<BenchRow>, BenchRow?> mark)
    {
        if (Console.IsOutputRedirected)
        {
            await work().ConfigureAwait(false);
        }
        else
        {
            await AnsiConsole.Live(Render(null)).AutoClear(true).StartAsync(async live =>
            {
                _live = live;
                await work().ConfigureAwait(false);
            }).ConfigureAwait(false);
        }

        _status = "";
        AnsiConsole.Write(Render(mark(_rows)));
        foreach (string note in BenchNotes.Of(_rows))
        {
            AnsiConsole.WriteLine(note);
        }
    }

    /// <inheritdoc/>
    public void OnProgress(string step, JsonObject progress)
    {
        (int second, long requests) = ((int)progress["second"]!, (long)progress["requests"]!);
        _status = second == 0
            ? step
            : string.Create(
                CultureInfo.InvariantCulture,
                $"{step} · second {second}: {requests:N0} req, p50 {BenchColumn.Us((double)progress["p50Us"]!)} µs, p99.9 "
                    + $"{BenchColumn.Us((double)progress["p999Us"]!)} µs, {(long)progress["errors"]!} errors");
        _live?.UpdateTarget(Render(null));
    }

    /// <inheritdoc/>
    public void OnRejected(string step, double othersCpu)
    {
        _status = $"{step}: rejected, because other programs used {othersCpu:F2} processors";
        _live?.UpdateTarget(Render(null));
        Say(_status);
    }

    /// <inheritdoc/>
    public void OnInterrupted(IReadOnlyList<BenchRow> finished, IReadOnlyList<BenchRow> underWay)
    {
        // The live table is cleared when the work fails, so the results are printed here.
        AnsiConsole.Write(Render([.. finished, .. underWay], null, ""));
        AnsiConsole.WriteLine(BenchNotes.Incomplete);
    }

    /// <inheritdoc/>
    public void OnRow(BenchRow row)
    {
        _rows.Add(row);
        _live?.UpdateTarget(Render(null));
        Say(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{row.Client} {row.Transport}, {row.Rung} callers: {row.RequestsPerSecond:N0} req/s, p99.9 {BenchColumn.Us(row.P999Us)} µs"));
    }

    private void Say(string line)
    {
        if (_live is null)
        {
            Console.Error.WriteLine(line);
        }
    }

    private Table Render(BenchRow? marked) => Render(_rows, marked, _status);

    private Table Render(IReadOnlyList<BenchRow> rows, BenchRow? marked, string status)
    {
        IReadOnlyList<BenchColumn> columns = _columns(rows, _peers());
        Table table = new Table().Border(TableBorder.Simple);
        foreach (BenchColumn column in columns)
        {
            table.AddColumn(
                new TableColumn(column.Header.EscapeMarkup())
                {
                    NoWrap = true,
                    Alignment = column.Header is "client" or "transport" ? Justify.Left : Justify.Right,
                    Padding = new Padding(0, 0, 1, 0),
                });
        }

        foreach (BenchRow row in rows)
        {
            IEnumerable<string> cells = columns.Select(column => column.Cell(row).EscapeMarkup());
            table.AddRow([.. row == marked ? cells.Select(cell => $"[bold green]{cell}[/]") : cells]);
        }

        return status.Length == 0 ? table : table.Caption(status.EscapeMarkup());
    }
}
