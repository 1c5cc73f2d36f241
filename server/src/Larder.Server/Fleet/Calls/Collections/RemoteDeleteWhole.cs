using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>Deletes a whole collection if it has the expected type.</summary>
internal static class RemoteDeleteWhole
{
    /// <summary>Begins the script. The script returns 1, or null if the collection does not exist.</summary>
    public static void Begin(RemoteCommand command, ReadOnlySpan<byte> name, ReadOnlySpan<byte> type)
    {
        RedisScript script = CollectionScripts.CollectionDelete;
        command.Begin(script, name, 1);
        command.Add(type);
    }
}
