using System.CommandLine;
using System.Globalization;
using Larder.Client;

namespace Larder.Cli;

/// <summary>The commands on a dictionary: <c>dict get|set|all|increment|remove|length</c>.</summary>
internal sealed class DictionaryCommands(Clients clients)
{
    private readonly CollectionCommand _on = new(clients, "dictionary");

    public ExampleCommand Create() =>
        new("dict", "Dictionaries: fields with values under one key", "larder dict set user:1 name Ann city Bergen", "larder dict all user:1")
        {
            Get(),
            Set(),
            All(),
            Increment(),
            Remove(),
            Length(),
        };

    private ExampleCommand Get()
    {
        ElementsArgument fields = ElementsArgument.Some("field", "The fields");
        ValueFormOptions form = ElementOutput.Options();
        return _on.Build(
            new(
                "get",
                "Prints the value of one field as 'larder get' does; for several fields, prints those that exist, one per line: field, tab and value",
                "larder dict get user:1 name",
                "larder dict get user:1 name city --json"),
            async (parsed, call) =>
            {
                CacheBytes[] asked = await fields.ReadAsync(parsed, call.Cancellation).ConfigureAwait(false);
                LookupResult<IReadOnlyList<CacheValue?>> answer =
                    await call.Cache.DictionaryGetAsync(call.Name, asked, call.Cancellation).ConfigureAwait(false);
                if (!answer.IsHit)
                {
                    return CollectionCommand.Without(answer);
                }

                ElementLine[] found =
                [
                    .. asked.Zip(answer.Value).Where(static pair => pair.Second is not null)
                        .Select(static pair => new ElementLine(pair.Second!.Value.Memory, pair.First.ToArray())),
                ];
                return asked.Length == 1 && found.Length == 1
                    ? await ElementOutput.WriteOneAsync(found[0], form.Of(parsed), call.Cancellation).ConfigureAwait(false)
                    : ElementOutput.WriteFound(found, form.Of(parsed));
            },
            fields.AddTo,
            form.AddTo);
    }

    private ExampleCommand Set()
    {
        ElementsArgument pairs = ElementsArgument.FieldsWithValues();
        CollectionTtlOptions ttl = new();
        return _on.Build(
            new(
                "set",
                "Stores fields; creates the dictionary if it does not exist",
                "larder dict set user:1 name Ann city Bergen --ttl 90",
                "larder dict set user:1 picture - < picture.png",
                "larder dict set user:1 visits 0 --no-refresh"),
            async (parsed, call) =>
            {
                DictionaryItem[] items =
                [
                    .. (await pairs.ReadAsync(parsed, call.Cancellation).ConfigureAwait(false))
                        .Chunk(2).Select(static pair => new DictionaryItem(pair[0], pair[1])),
                ];
                return CollectionCommand.Finish(
                    await call.Cache.DictionarySetAsync(call.Name, items, ttl.Of(parsed), call.Cancellation).ConfigureAwait(false),
                    "stored");
            },
            pairs.AddTo,
            ttl.AddTo);
    }

    private ExampleCommand All()
    {
        ValueFormOptions form = ElementOutput.Options();
        return _on.Build(
            new(
                "all",
                "Prints all fields in no particular order, one per line: field, tab and value",
                "larder dict all user:1",
                "larder dict all user:1 --json"),
            async (parsed, call) =>
            {
                LookupResult<IReadOnlyList<DictionaryField>> answer = await call.Cache.DictionaryFetchAsync(call.Name, call.Cancellation).ConfigureAwait(false);
                return answer.IsHit
                    ? ElementOutput.Write(answer.Value.Select(static item => new ElementLine(item.Value.Memory, item.Field.Memory)), form.Of(parsed))
                    : CollectionCommand.Without(answer);
            },
            form.AddTo);
    }

    private ExampleCommand Increment()
    {
        ElementsArgument field = ElementsArgument.One("field", "The field; created with the value 0 if it does not exist");
        Argument<long> amount = new("amount") { Description = "The amount to add; may be negative", DefaultValueFactory = _ => 1, CustomParser = Number.Whole };
        CollectionTtlOptions ttl = new();
        return _on.Build(
            new(
                "increment",
                "Adds an amount to an integer field and prints the new value",
                "larder dict increment user:1 visits",
                "larder dict increment user:1 credit -4"),
            async (parsed, call) =>
            {
                CacheBytes[] one = await field.ReadAsync(parsed, call.Cancellation).ConfigureAwait(false);
                CacheResult<long> answer = await call.Cache
                    .DictionaryIncrementAsync(call.Name, one[0], parsed.GetValue(amount), ttl.Of(parsed), call.Cancellation)
                    .ConfigureAwait(false);
                return answer.IsSuccess
                    ? Output.Say(answer.Value.ToString(CultureInfo.InvariantCulture))
                    : CollectionCommand.Without(answer);
            },
            field.AddTo,
            command => command.Add(amount),
            ttl.AddTo);
    }

    private ExampleCommand Remove()
    {
        ElementsArgument fields = ElementsArgument.Some("field", "The fields");
        return _on.Build(
            new("remove", "Removes fields; succeeds even if they do not exist", "larder dict remove user:1 city"),
            async (parsed, call) =>
            {
                CacheBytes[] given = await fields.ReadAsync(parsed, call.Cancellation).ConfigureAwait(false);
                return CollectionCommand.Finish(
                    await call.Cache.DictionaryRemoveAsync(call.Name, given, call.Cancellation).ConfigureAwait(false),
                    "gone");
            },
            fields.AddTo);
    }

    private ExampleCommand Length() => _on.Build(
        new("length", "Prints the number of fields", "larder dict length user:1"),
        async (_, call) =>
        {
            LookupResult<int> answer = await call.Cache.DictionaryLengthAsync(call.Name, call.Cancellation).ConfigureAwait(false);
            return answer.IsHit
                ? Output.Say(answer.Value.ToString(CultureInfo.InvariantCulture))
                : CollectionCommand.Without(answer);
        });
}
