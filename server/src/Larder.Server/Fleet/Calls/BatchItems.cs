using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Walks the items of a kept batch by a position that outlives the walk.</summary>
internal static class BatchItems
{
    /// <summary>The next item of <paramref name="request"/> from <paramref name="position"/> on, which then is behind it; false at the end.</summary>
    public static bool TryNext(ReadOnlySpan<byte> request, scoped ref int position, out ReadOnlySpan<byte> item)
    {
        RepeatedItems items = new(request[position..]);
        bool found = items.Next(out item);
        position += items.Position;
        return found;
    }
}
