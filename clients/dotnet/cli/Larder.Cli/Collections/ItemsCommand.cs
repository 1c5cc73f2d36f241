using System.CommandLine;
using Larder.Client;

namespace Larder.Cli;

/// <summary>The command that prints the contents of a collection of any type and size, page by page.</summary>
internal sealed class ItemsCommand(Clients clients)
{
    // The page size is large to reduce the number of calls. A page cannot become too large, because the server limits it to a megabyte.
    private const int MaxPerPage = 4096;

    public ExampleCommand Create()
    {
        Option<int> page = new("--page")
        {
            Description = $"Number of fields or elements per request; the server returns at most {MaxPerPage}",
            HelpName = "number",
            DefaultValueFactory = static _ => MaxPerPage,
            CustomParser = Number.SmallCount,
        };
        ValueFormOptions form = ElementOutput.Options();
        return new CollectionCommand(clients, "collection").Build(
            new(
                "items",
                "Prints a dictionary, set, list or sorted set of any size, one value per line; a field or score precedes its value, separated by a tab",
                "larder items user:1",
                "larder items events --json | head",
                "larder items board --page 100"),
            (parsed, call) => PrintAsync(call, parsed.GetValue(page), form.Of(parsed)),
            command => command.Add(page),
            form.AddTo);
    }

    private static Task<int> PrintAsync(CollectionCall call, int perPage, ValueForm form) => ResultStream.WriteAsync(async output =>
    {
        ReadOnlyMemory<byte> cursor = default;
        do
        {
            LookupResult<CollectionPage> answer = await call.Cache.ScanItemsAsync(call.Name, cursor, perPage, call.Cancellation).ConfigureAwait(false);
            call.Cancellation.ThrowIfCancellationRequested();
            if (!answer.IsHit)
            {
                return CollectionCommand.Without(answer);
            }

            foreach (ElementLine line in Lines(answer.Value))
            {
                line.Write(output, form, withScore: true);
            }

            await output.FlushAsync(call.Cancellation).ConfigureAwait(false);
            cursor = answer.Value.Cursor;
        }
        while (!cursor.IsEmpty);
        return ExitCode.Done;
    });

    private static IEnumerable<ElementLine> Lines(CollectionPage page) =>
    [
        .. page.Fields.Select(static each => new ElementLine(each.Value.Memory, each.Field.Memory)),
        .. page.Elements.Select(static each => new ElementLine(each.Memory)),
        .. page.ScoredElements.Select(static each => new ElementLine(each.Value.Memory, Score: each.Score)),
    ];
}
