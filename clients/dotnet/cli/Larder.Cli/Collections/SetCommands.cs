using System.CommandLine;
using System.Globalization;
using Larder.Client;

namespace Larder.Cli;

/// <summary>The commands on a set: <c>sets add|remove|has|all|sample|pop|length</c>. The name is plural because <c>set</c> stores a value.</summary>
internal sealed class SetCommands(Clients clients)
{
    private readonly CollectionCommand _on = new(clients, "set");

    public ExampleCommand Create() =>
        new("sets", "Sets: distinct elements under one key, unordered", "larder sets add online ann bo", "larder sets all online")
        {
            Add(),
            Remove(),
            Has(),
            All(),
            Sample(),
            Pop(),
            Length(),
        };

    private ExampleCommand Add()
    {
        ElementsArgument elements = ElementsArgument.Some("element", "The elements");
        CollectionTtlOptions ttl = new();
        return _on.Build(
            new("add", "Adds elements; creates the set if it does not exist", "larder sets add online ann bo --ttl 90", "larder sets add flags -- --verbose"),
            async (parsed, call) =>
            {
                CacheBytes[] given = await elements.ReadAsync(parsed, call.Cancellation).ConfigureAwait(false);
                return CollectionCommand.Finish(
                    await call.Cache.SetUnionAsync(call.Name, given, ttl.Of(parsed), call.Cancellation).ConfigureAwait(false),
                    "stored");
            },
            elements.AddTo,
            ttl.AddTo);
    }

    private ExampleCommand Remove()
    {
        ElementsArgument elements = ElementsArgument.Some("element", "The elements");
        return _on.Build(
            new("remove", "Removes elements; succeeds even if they do not exist", "larder sets remove online bo"),
            async (parsed, call) =>
            {
                CacheBytes[] given = await elements.ReadAsync(parsed, call.Cancellation).ConfigureAwait(false);
                return CollectionCommand.Finish(
                    await call.Cache.SetDifferenceAsync(call.Name, given, call.Cancellation).ConfigureAwait(false),
                    "gone");
            },
            elements.AddTo);
    }

    private ExampleCommand Has()
    {
        ElementsArgument elements = ElementsArgument.Some("element", "The elements");
        ValueFormOptions form = ElementOutput.Options();
        return _on.Build(
            new(
                "has",
                "Prints which of the elements are in the set, one per line; the exit code is 3 if the set contains none of them",
                "larder sets has online ann"),
            async (parsed, call) =>
            {
                CacheBytes[] asked = await elements.ReadAsync(parsed, call.Cancellation).ConfigureAwait(false);
                LookupResult<IReadOnlyList<bool>> answer = await call.Cache.SetContainsAsync(call.Name, asked, call.Cancellation).ConfigureAwait(false);
                return answer.IsHit
                    ? ElementOutput.WriteFound(
                        [.. asked.Zip(answer.Value).Where(static pair => pair.Second).Select(static pair => new ElementLine(pair.First.ToArray()))],
                        form.Of(parsed))
                    : CollectionCommand.Without(answer);
            },
            elements.AddTo,
            form.AddTo);
    }

    private ExampleCommand All()
    {
        ValueFormOptions form = ElementOutput.Options();
        return _on.Build(
            new("all", "Prints all elements, one per line, in no particular order", "larder sets all online", "larder sets all online --json"),
            async (parsed, call) =>
            {
                LookupResult<IReadOnlyList<CacheValue>> answer = await call.Cache.SetFetchAsync(call.Name, call.Cancellation).ConfigureAwait(false);
                return answer.IsHit ? Write(answer.Value, form.Of(parsed)) : CollectionCommand.Without(answer);
            },
            form.AddTo);
    }

    private ExampleCommand Sample()
    {
        Argument<int> count = Count();
        ValueFormOptions form = ElementOutput.Options();
        return _on.Build(
            new("sample", "Prints random elements", "larder sets sample online 3"),
            async (parsed, call) =>
            {
                LookupResult<IReadOnlyList<CacheValue>> answer =
                    await call.Cache.SetSampleAsync(call.Name, parsed.GetValue(count), call.Cancellation).ConfigureAwait(false);
                return answer.IsHit ? Write(answer.Value, form.Of(parsed)) : CollectionCommand.Without(answer);
            },
            command => command.Add(count),
            form.AddTo);
    }

    private ExampleCommand Pop()
    {
        Argument<int> count = Count();
        ValueFormOptions form = ElementOutput.Options();
        return _on.Build(
            new("pop", "Prints random elements and removes them", "larder sets pop tickets", "larder sets pop tickets 3"),
            async (parsed, call) =>
            {
                LookupResult<IReadOnlyList<CacheValue>> answer =
                    await call.Cache.SetPopAsync(call.Name, parsed.GetValue(count), call.Cancellation).ConfigureAwait(false);
                return answer.IsHit ? Write(answer.Value, form.Of(parsed)) : CollectionCommand.Without(answer);
            },
            command => command.Add(count),
            form.AddTo);
    }

    private ExampleCommand Length() => _on.Build(
        new("length", "Prints the number of elements", "larder sets length online"),
        async (_, call) =>
        {
            LookupResult<int> answer = await call.Cache.SetLengthAsync(call.Name, call.Cancellation).ConfigureAwait(false);
            return answer.IsHit ? Output.Say(answer.Value.ToString(CultureInfo.InvariantCulture)) : CollectionCommand.Without(answer);
        });

    private static Argument<int> Count() =>
        new("count") { Description = "Maximum number of elements", DefaultValueFactory = _ => 1, CustomParser = Number.SmallCount };

    private static int Write(IReadOnlyList<CacheValue> elements, ValueForm form) =>
        ElementOutput.Write(elements.Select(static element => new ElementLine(element.Memory)), form);
}
