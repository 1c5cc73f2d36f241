using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Iterates over the items of a stored batch. The caller keeps the position between calls.</summary>
internal static class BatchItems
{
    /// <summary>
    /// Reads the next item of <paramref name="request"/> at <paramref name="position"/> and advances the position past it. Returns false at the end.
    /// </summary>
    public static bool TryNext(ReadOnlySpan<byte> request, scoped ref int position, out ReadOnlySpan<byte> item)
    {
        RepeatedItems items = new(request[position..]);
        bool found = items.Next(out item);
        position += items.Position;
        return found;
    }
}
