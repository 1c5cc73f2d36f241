using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>Encodes a slice of a list as arguments of a command.</summary>
internal static class SliceArguments
{
    /// <summary>Adds both bounds unchanged; a missing bound becomes an empty argument.</summary>
    public static void AddBounds(this RemoteCommand command, ListSlice slice)
    {
        AddOrEmpty(command, slice.Start);
        AddOrEmpty(command, slice.End);
    }

    /// <summary>Adds the first and the last index, inclusive as in Redis ranges. The slice must not be empty by definition: its end is not 0.</summary>
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
