using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>Encodes a slice of a list as arguments of a command.</summary>
internal static class SliceArguments
{
    /// <summary>Adds both bounds unchanged. For a missing bound, adds an empty argument.</summary>
    public static void AddBounds(this RemoteCommand command, ListSlice slice)
    {
        AddOrEmpty(command, slice.Start);
        AddOrEmpty(command, slice.End);
    }

    /// <summary>
    /// Adds the index of the first and of the last element, inclusive as in Redis ranges. The end of the slice must not be 0, because such a slice is always
    /// empty.
    /// </summary>
    public static void AddInclusive(this RemoteCommand command, ListSlice slice)
    {
        command.Add(slice.Start ?? 0);
        command.Add((slice.End ?? 0) - 1L);
    }

    private static void AddOrEmpty(RemoteCommand command, int? bound)
    {
        if (bound is { } index)
        {
            command.Add((long)index);
        }
        else
        {
            command.Add(ReadOnlySpan<byte>.Empty);
        }
    }
}
