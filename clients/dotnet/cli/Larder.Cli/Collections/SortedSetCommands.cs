using System.CommandLine;
using System.Globalization;
using Larder.Client;

namespace Larder.Cli;

/// <summary>The commands on a sorted set: <c>zset put|all|score|rank|increment|remove|length</c>.</summary>
internal sealed class SortedSetCommands(Clients clients)
{
    private readonly CollectionCommand _on = new(clients, "sorted set");

    public ExampleCommand Create() =>
        new(
            "zset",
            "Sorted sets: distinct elements under one key, ordered by their scores",
            "larder zset put board 12.5 ann 7 bo",
            "larder zset all board --descending --scores")
        {
            Put(),
            All(),
            Score(),
            Rank(),
            Increment(),
            Remove(),
            Length(),
        };

    private ExampleCommand Put()
    {
        ElementsArgument pairs = ElementsArgument.ScoresWithElements();
        CollectionTtlOptions ttl = new();
        return _on.Build(
            new(
                "put",
                "Adds elements or changes their scores; creates the sorted set if it does not exist",
                "larder zset put board 12.5 ann 7 bo --ttl 90",
                "larder zset put board -3 cy"),
            async (parsed, call) =>
            {
                CacheBytes[] given = await pairs.ReadAsync(parsed, call.Cancellation).ConfigureAwait(false);
                SortedSetElement[] elements = [.. given.Zip(pairs.ScoresOf(parsed), static (element, score) => new SortedSetElement(element, score))];
                return CollectionCommand.Finish(
                    await call.Cache.SortedSetPutAsync(call.Name, elements, ttl.Of(parsed), call.Cancellation).ConfigureAwait(false),
                    "stored");
            },
            pairs.AddTo,
            ttl.AddTo);
    }

    private ExampleCommand All()
    {
        SliceOptions slice = new();
        ScoreRangeOptions range = new();
        Option<bool> descending = new("--descending") { Description = "Order by descending score; indexes count from the highest score" };
        Option<bool> scores = new("--scores") { Description = "Print the score and a tab before each element" };
        ValueFormOptions form = ElementOutput.Options();
        return _on.Build(
            new(
                "all",
                "Prints the elements by ascending score, one per line; --start and --end select by index, --min and --max by score",
                "larder zset all board --scores",
                "larder zset all board --descending --end 10",
                "larder zset all board --min -5 --max 10.5"),
            async (parsed, call) =>
            {
                SortedSetOrder order = OrderOf(parsed, descending);
                LookupResult<IReadOnlyList<ScoredElement>> answer = range.IsGiven(parsed)
                    ? await call.Cache
                        .SortedSetFetchByScoreAsync(
                            call.Name, order, range.MinOf(parsed), range.MaxOf(parsed), cancellationToken: call.Cancellation)
                        .ConfigureAwait(false)
                    : await call.Cache
                        .SortedSetFetchByRankAsync(call.Name, order, slice.StartOf(parsed), slice.EndOf(parsed), call.Cancellation)
                        .ConfigureAwait(false);
                return answer.IsHit
                    ? ElementOutput.Write(
                        answer.Value.Select(static element => new ElementLine(element.Value.Memory, Score: element.Score)),
                        form.Of(parsed),
                        parsed.GetValue(scores))
                    : CollectionCommand.Without(answer);
            },
            slice.AddTo,
            range.AddTo,
            command => command.Add(descending),
            command => command.Add(scores),
            form.AddTo);
    }

    private ExampleCommand Score()
    {
        ElementsArgument elements = ElementsArgument.Some("element", "The elements");
        ValueFormOptions form = ElementOutput.Options();
        return _on.Build(
            new(
                "score",
                "Prints the score of one element; for several elements, prints one line for each that exists: score, tab and element",
                "larder zset score board ann",
                "larder zset score board ann bo"),
            async (parsed, call) =>
            {
                CacheBytes[] asked = await elements.ReadAsync(parsed, call.Cancellation).ConfigureAwait(false);
                LookupResult<IReadOnlyList<double?>> answer =
                    await call.Cache.SortedSetGetScoreAsync(call.Name, asked, call.Cancellation).ConfigureAwait(false);
                return answer switch
                {
                    { IsHit: true, Value: [{ } score] } when form.Of(parsed) != ValueForm.Json => Output.Say(ElementLine.OfScore(score)),
                    { IsHit: true } hit => ElementOutput.WriteFound(
                        [
                            .. asked.Zip(hit.Value).Where(static pair => pair.Second is not null)
                                .Select(static pair => new ElementLine(pair.First.ToArray(), Score: pair.Second)),
                        ],
                        form.Of(parsed),
                        withScores: true),
                    _ => CollectionCommand.Without(answer),
                };
            },
            elements.AddTo,
            form.AddTo);
    }

    private ExampleCommand Rank()
    {
        ElementsArgument element = ElementsArgument.One("element", "The element");
        Option<bool> descending = new("--descending") { Description = "Rank by descending score" };
        return _on.Build(
            new(
                "rank",
                "Prints the rank of an element by ascending score; the first element has rank 0",
                "larder zset rank board ann",
                "larder zset rank board ann --descending"),
            async (parsed, call) =>
            {
                CacheBytes[] one = await element.ReadAsync(parsed, call.Cancellation).ConfigureAwait(false);
                LookupResult<long> answer = await call.Cache
                    .SortedSetGetRankAsync(call.Name, one[0], OrderOf(parsed, descending), call.Cancellation)
                    .ConfigureAwait(false);
                return answer.IsHit
                    ? Output.Say(answer.Value.ToString(CultureInfo.InvariantCulture))
                    : CollectionCommand.Without(answer);
            },
            element.AddTo,
            command => command.Add(descending));
    }

    private ExampleCommand Increment()
    {
        ElementsArgument element = ElementsArgument.One("element", "The element; created with the score 0 if it does not exist");
        Argument<double?> amount = new("amount")
        {
            Description = "The amount to add: a number, inf or -inf",
            DefaultValueFactory = _ => 1,
            CustomParser = Number.Score,
        };
        CollectionTtlOptions ttl = new();
        return _on.Build(
            new(
                "increment",
                "Adds an amount to an element's score and prints the new score",
                "larder zset increment board ann",
                "larder zset increment board ann -0.5"),
            async (parsed, call) =>
            {
                CacheBytes[] one = await element.ReadAsync(parsed, call.Cancellation).ConfigureAwait(false);
                CacheResult<double> answer = await call.Cache
                    .SortedSetIncrementAsync(call.Name, one[0], parsed.GetValue(amount)!.Value, ttl.Of(parsed), call.Cancellation)
                    .ConfigureAwait(false);
                return answer.IsSuccess
                    ? Output.Say(ElementLine.OfScore(answer.Value))
                    : CollectionCommand.Without(answer);
            },
            element.AddTo,
            command => command.Add(amount),
            ttl.AddTo);
    }

    private ExampleCommand Remove()
    {
        ElementsArgument elements = ElementsArgument.Some("element", "The elements");
        return _on.Build(
            new("remove", "Removes elements; succeeds even if they do not exist", "larder zset remove board bo"),
            async (parsed, call) =>
            {
                CacheBytes[] given = await elements.ReadAsync(parsed, call.Cancellation).ConfigureAwait(false);
                return CollectionCommand.Finish(
                    await call.Cache.SortedSetRemoveAsync(call.Name, given, call.Cancellation).ConfigureAwait(false),
                    "gone");
            },
            elements.AddTo);
    }

    private ExampleCommand Length() => _on.Build(
        new("length", "Prints the number of elements", "larder zset length board"),
        async (_, call) =>
        {
            LookupResult<int> answer = await call.Cache.SortedSetLengthAsync(call.Name, call.Cancellation).ConfigureAwait(false);
            return answer.IsHit
                ? Output.Say(answer.Value.ToString(CultureInfo.InvariantCulture))
                : CollectionCommand.Without(answer);
        });

    private static SortedSetOrder OrderOf(ParseResult parsed, Option<bool> descending) =>
        parsed.GetValue(descending) ? SortedSetOrder.Descending : SortedSetOrder.Ascending;
}
