using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>The part of some calls that removes a whole collection, where it is of their type.</summary>
internal static class RemoteDeleteWhole
{
    /// <summary>Begins the script, which answers 1, or nothing where there is no collection.</summary>
    public static void Begin(RemoteCommand command, ReadOnlySpan<byte> name, ReadOnlySpan<byte> type)
    {
        RedisScript script = CollectionScripts.CollectionDelete;
        command.Begin(script, name, 1);
        command.Add(type);
    }
}
