using Larder.Near.Tests.Exploring;

namespace Larder.Near.Tests.Worlds;

/// <summary>The promise, and what a client may be given by it.</summary>
internal sealed partial class NearWorld
{
    // A read is over: what it was given is at least what it had to see, and nothing older is to follow.
    private static void Give(ref World world, int client, int key, byte version, byte required, string how, Moves<World> moves)
    {
        if (version < required)
        {
            moves.Break($"{how} k{key} at v{version}, and v{required} was finished, seen or told of before");
        }

        Raise(ref world.Clients[client].Floors[key], version);
    }

    private static void Raise(ref byte floor, byte version) => floor = Math.Max(floor, version);

    // A write has ended for its caller: it is seen by its own client from now on, and by others after the lease.
    private void Finish(ref World world, int client, int key, byte version)
    {
        if (_scenario.Reads(client))
        {
            Raise(ref world.Clients[client].Floors[key], version);
        }

        if (world.Fleet.IsCutOff && !_scenario.CountsWhileCutOff)
        {
            // Nobody can know of it at the node that was cut off: the lease begins when that answers no more (FLEET-17).
            Raise(ref world.Fleet.EndedMeanwhile, version);
        }
        else if (_scenario.Time > 0)
        {
            world.Keys[key].EndedAt[version] = (byte)(world.Now + 1);
        }

        Settle(ref world);
    }

    // What ended long enough ago is to be seen by all. Forgets ends that require nothing more than others.
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

                if (isDue || ended >= earliest || IsSeenByAll(world, key, (byte)version))
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

    private bool IsSeenByAll(in World world, int key, byte version) =>
        (!_scenario.Reads(0) || world.Clients[0].Floors[key] >= version) && (!_scenario.Reads(1) || world.Clients[1].Floors[key] >= version);
}
