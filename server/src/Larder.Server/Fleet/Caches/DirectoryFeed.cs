using System.Text;
using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>
/// Follows the stream that announces changes of the directory, and reads the directory after each announcement. An announcement can be lost, for example in a
/// failover. The next heartbeat of <see cref="DirectoryLoop"/> then reads the change.
/// </summary>
/// <param name="directory">The directory to read.</param>
internal sealed class DirectoryFeed(FleetDirectory directory) : FollowedStream(Encoding.UTF8.GetBytes(FleetDirectory.ChangesKey))
{
    /// <summary>The slot of the stream.</summary>
    public static int Slot { get; } = KeySlot.Of(Encoding.UTF8.GetBytes(FleetDirectory.ChangesKey));

    protected override void BeginOpening(RedisCommand command)
    {
        command.BeginScript(FleetScripts.DirectoryFollow, 1, 0);
        command.AddKey(default, Key.Span);
    }

    // Reading starts with the last announcement, so that a change before the connection was opened is read at once.
    protected override StreamId OnOpened(ref RespReader reply) => default;

    protected override void OnNotOpened(RedisFailure failure)
    {
        // The script is run again later, and the heartbeats read all changes until then.
    }

    protected override void OnEntry(StreamId id, ref RespReader fields)
    {
        // The directory itself contains the change.
    }

    protected override async ValueTask OnReadAsync()
    {
        try
        {
            await directory.SendHeartbeatAsync().ConfigureAwait(false);
        }
        catch (FleetQueryException)
        {
            // The next heartbeat reads the change.
        }
    }
}
