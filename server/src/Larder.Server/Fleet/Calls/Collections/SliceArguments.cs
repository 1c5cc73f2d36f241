using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>A slice as arguments of a command.</summary>
internal static class SliceArguments
{
    /// <summary>Adds its two bounds as they are; empty ones for those that are not there.</summary>
    public static void AddBounds(this RemoteCommand command, ListSlice slice)
    {
        AddOrEmpty(command, slice.Start);
        AddOrEmpty(command, slice.End);
    }

    /// <summary>Adds its first and its last index, as the engine's ranges have them. Of a slice that can have elements: its end is not 0.</summary>
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
