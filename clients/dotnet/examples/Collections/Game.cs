using Larder.Client;

namespace Larder.Examples.Collections;

/// <summary>Stores a game's players, who is online, their last messages, and the leaderboard.</summary>
public static class Game
{
    /// <summary>Plays a short game and returns the leader.</summary>
    public static async Task<string> PlayAsync(Cache cache)
    {
        // A dictionary: fields with values. It expires an hour after its last write.
        CollectionTtl hour = TimeSpan.FromHours(1);
        await cache.DictionarySetAsync("player:ann", [new("name", "Ann"), new("city", "Bergen")], hour);
        await cache.DictionaryIncrementAsync("player:ann", "games", 1, hour);
        string city = await cache.DictionaryGetFieldAsync("player:ann", "city") switch
        {
            { IsHit: true } hit => hit.Value.Text,
            { IsMiss: true } => "somewhere",
            { Error: { } error } => error.Message,
            _ => "",
        };

        // A set: distinct elements. It expires an hour after its creation; later writes do not extend it.
        await cache.SetAddElementsAsync("online", ["ann", "bo", "cy"], hour.WithNoRefreshTtlOnUpdates());
        await cache.SetRemoveElementAsync("online", "cy");
        bool isOnline = await cache.SetContainsElementAsync("online", "ann") is { IsHit: true, Value: true };

        // A list: elements in order, here the last 100 messages.
        await cache.ListPushBackAsync("said", "hello", truncateFrontToSize: 100);
        await cache.ListConcatenateBackAsync("said", ["good game", "again?"], truncateFrontToSize: 100);
        string last = await cache.ListFetchAsync("said", start: -1) is { IsHit: true } said ? said.Value.ToStrings()[0] : "(silence)";

        // A sorted set: elements ordered by score.
        await cache.SortedSetPutAsync("board", [new("ann", 120), new("bo", 80)]);
        await cache.SortedSetIncrementAsync("board", "bo", 55);
        LookupResult<IReadOnlyList<ScoredElement>> board = await cache.SortedSetFetchByRankAsync("board", SortedSetOrder.Descending, start: 0, end: 10);
        string leader = board is { IsHit: true, Value: [var first, ..] } ? $"{first.Value.Text} with {first.Score}" : "nobody";
        return $"{leader}; Ann of {city} is {(isOnline ? "online" : "away")}; \"{last}\"";
    }
}
