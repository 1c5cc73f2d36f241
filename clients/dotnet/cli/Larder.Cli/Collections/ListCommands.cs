using System.CommandLine;
using System.Globalization;
using Larder.Client;

namespace Larder.Cli;

/// <summary>The commands on a list: <c>list push|pop|all|remove|length</c>.</summary>
internal sealed class ListCommands(Clients clients)
{
    private readonly CollectionCommand _on = new(clients, "list");

    public ExampleCommand Create() =>
        new("list", "Lists: values under one key, in order", "larder list push jobs one two", "larder list pop jobs", "larder list all jobs")
        {
            Push(),
            Pop(),
            All(),
            Remove(),
            Length(),
        };

    private ExampleCommand Push()
    {
        ElementsArgument values = ElementsArgument.Some("value", "The values to add");
        Option<bool> front = new("--front") { Description = "Insert before the first value instead of after the last; several values keep their order" };
        Option<int> truncate = new("--truncate")
        {
            Description = "Maximum length; excess values are removed from the front, or from the back with --front (default: unlimited)",
            HelpName = "count",
            CustomParser = Number.SmallCount,
        };
        CollectionTtlOptions ttl = new();
        return _on.Build(
            new(
                "push",
                "Adds values and prints the list's length; creates the list if it does not exist",
                "larder list push jobs one two --ttl 90",
                "larder list push recent page:7 --front --truncate 100"),
            async (parsed, call) =>
            {
                CacheBytes[] given = await values.ReadAsync(parsed, call.Cancellation).ConfigureAwait(false);
                return parsed.GetValue(front)
                    ? await call.Cache
                        .ListConcatenateFrontAsync(call.Name, given, parsed.GetValue(truncate), ttl.Of(parsed), call.Cancellation)
                        .ConfigureAwait(false) switch
                    {
                        { IsSuccess: true } success => Say(success.Value),
                        { } other => CollectionCommand.Without(other),
                    }
                    : await call.Cache
                        .ListConcatenateBackAsync(call.Name, given, parsed.GetValue(truncate), ttl.Of(parsed), call.Cancellation)
                        .ConfigureAwait(false) switch
                    {
                        { IsSuccess: true } success => Say(success.Value),
                        { } other => CollectionCommand.Without(other),
                    };
            },
            values.AddTo,
            command => command.Add(front),
            command => command.Add(truncate),
            ttl.AddTo);
    }

    private ExampleCommand Pop()
    {
        Option<bool> back = new("--back") { Description = "Take the last value instead of the first" };
        ValueFormOptions form = new(json: "Print one JSON object with the field value, or base64 if the value is not text");
        return _on.Build(
            new("pop", "Removes the first value and prints it as 'larder get' does", "larder list pop jobs", "larder list pop jobs --back"),
            async (parsed, call) =>
            {
                ReadOnlyMemory<byte> value;
                if (parsed.GetValue(back))
                {
                    LookupResult<PoppedElement> answer = await call.Cache.ListPopBackAsync(call.Name, call.Cancellation).ConfigureAwait(false);
                    if (!answer.IsHit)
                    {
                        return CollectionCommand.Without(answer);
                    }

                    value = answer.Value.Value.Memory;
                }
                else
                {
                    LookupResult<PoppedElement> answer = await call.Cache.ListPopFrontAsync(call.Name, call.Cancellation).ConfigureAwait(false);
                    if (!answer.IsHit)
                    {
                        return CollectionCommand.Without(answer);
                    }

                    value = answer.Value.Value.Memory;
                }

                return await ElementOutput.WriteOneAsync(new ElementLine(value), form.Of(parsed), call.Cancellation).ConfigureAwait(false);
            },
            command => command.Add(back),
            form.AddTo);
    }

    private ExampleCommand All()
    {
        SliceOptions slice = new();
        ValueFormOptions form = ElementOutput.Options();
        return _on.Build(
            new("all", "Prints the values in order, one per line; --start and --end select a slice", "larder list all jobs", "larder list all jobs --start -3"),
            async (parsed, call) =>
            {
                LookupResult<IReadOnlyList<CacheValue>> answer = await call.Cache
                    .ListFetchAsync(call.Name, slice.StartOf(parsed), slice.EndOf(parsed), call.Cancellation)
                    .ConfigureAwait(false);
                return answer.IsHit
                    ? ElementOutput.Write(answer.Value.Select(static value => new ElementLine(value.Memory)), form.Of(parsed))
                    : CollectionCommand.Without(answer);
            },
            slice.AddTo,
            form.AddTo);
    }

    private ExampleCommand Remove()
    {
        ElementsArgument value = ElementsArgument.One("value", "The value");
        return _on.Build(
            new("remove", "Removes all occurrences of a value; succeeds even if there are none", "larder list remove jobs two"),
            async (parsed, call) =>
            {
                CacheBytes[] one = await value.ReadAsync(parsed, call.Cancellation).ConfigureAwait(false);
                return CollectionCommand.Finish(
                    await call.Cache.ListRemoveAsync(call.Name, one[0], call.Cancellation).ConfigureAwait(false),
                    "gone");
            },
            value.AddTo);
    }

    private ExampleCommand Length() => _on.Build(
        new("length", "Prints the number of values", "larder list length jobs"),
        async (_, call) =>
        {
            LookupResult<int> answer = await call.Cache.ListLengthAsync(call.Name, call.Cancellation).ConfigureAwait(false);
            return answer.IsHit ? Say(answer.Value) : CollectionCommand.Without(answer);
        });

    private static int Say(int length) => Output.Say(length.ToString(CultureInfo.InvariantCulture));
}
