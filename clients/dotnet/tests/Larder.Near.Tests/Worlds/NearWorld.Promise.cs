using Larder.Near.Tests.Exploring;

namespace Larder.Near.Tests.Worlds;

/// <summary>Checks the guarantees, and tracks which versions a client may read.</summary>
internal sealed partial class NearWorld
{
    // Completes a read. The read must have returned at least the required version. No later read may return an older version than this read.
    private static void Give(ref World world, int client, int key, byte version, byte required, string how, Moves<World> moves)
    {
        if (version < required)
        {
            moves.Break($"{how} k{key} at v{version}, and v{required} was finished, seen or told of before");
        }

        Raise(ref world.Clients[client].Floors[key], version);
    }

    private static void Raise(ref byte floor, byte version) => floor = Math.Max(floor, version);

    // Completes a write for its caller. The client that wrote must not read an older version from now on. The same applies to other clients after the lease.
    private void Finish(ref World world, int client, int key, byte version)
    {
        if (_scenario.Reads(client))
        {
            Raise(ref world.Clients[client].Floors[key], version);
        }

        if (world.Fleet.IsCutOff && !_scenario.CountsWhileCutOff)
        {
            // The node that was cut off cannot know of the write. So for this write, the lease begins when that node stops responding (FLEET-17).
            Raise(ref world.Fleet.EndedMeanwhile, version);
        }
        else if (_scenario.Time > 0)
        {
            world.Keys[key].EndedAt[version] = (byte)(world.Now + 1);
        }

        Settle(ref world);
    }

    // Requires every client to see the writes that completed long enough ago. Clears completion times that add no requirement.
    private void Settle(ref World world)
    {
        for (int key = 0; key < _scenario.Keys; key++)
        {
            ref KeyPart part = ref world.Keys[key];
            byte earliest = byte.MaxValue;
            for (int version = 7; version >= 0; version--)
            {
                ref byte ended = ref part.EndedAt[version];
                if (ended == 0)
                {
                    continue;
                }

                bool isDue = ended - 1 + _scenario.Lease + _scenario.Grace <= world.Now;
                if (isDue)
                {
                    Raise(ref world, key, (byte)version);
                }

                if (isDue || ended >= earliest || IsVisibleToAll(world, key, (byte)version))
                {
                    ended = 0;
                }
                else
                {
                    earliest = ended;
                }
            }
        }
    }

    private void Raise(ref World world, int key, byte version)
    {
        for (int client = 0; client < 2; client++)
        {
            if (_scenario.Reads(client))
            {
                Raise(ref world.Clients[client].Floors[key], version);
            }
        }
    }

    private bool IsVisibleToAll(in World world, int key, byte version) =>
        (!_scenario.Reads(0) || world.Clients[0].Floors[key] >= version) && (!_scenario.Reads(1) || world.Clients[1].Floors[key] >= version);
}
