using System.Diagnostics;
using System.Net;

namespace Larder.Wire.Sockets;

/// <summary>
/// Orders the work of TLS handshakes so that each client network gets an equal share of the time (start-time fair queueing). Also limits the number of work
/// items of one network that run concurrently. Within a network, small handshakes run first, because long certificate chains take more time to verify. So
/// clients with long chains delay each other, but not the other clients behind the same address. Not thread-safe.
/// </summary>
/// <param name="maxRunning">The maximum number of work items of one network that run concurrently.</param>
internal sealed class HandshakeQueue(int maxRunning)
{
    // A handshake consists of two work items of about 0.2 ms each. This expected cost is charged when an item starts, so that a network cannot occupy all
    // threads before its first item has ended.
    private static readonly long s_expectedTicks = Stopwatch.Frequency / 5_000;

    // Handshakes are ordered by size, in multiples of this number of bytes. So handshakes of similar size run in the order of arrival. A certificate with its
    // signature has 0.6 to 2 KB.
    private const int BytesPerClass = 2 * 1024;

    // The networks with waiting or running work. There are at most as many as there are connections.
    private readonly Dictionary<IPAddress, Client> _clients = [];

    // The networks that have waiting work and may run another item, ordered by the time that they have used.
    private readonly PriorityQueue<Client, long> _ready = new();

    // The initial used time of a new network. It is the used time of the network that ran last.
    private long _virtualTicks;
    private long _added;

    /// <summary>A work item that was taken from the queue to be run.</summary>
    public readonly record struct Turn(IThreadPoolWorkItem Work, IPAddress Network);

    /// <summary>Gets the number of networks with waiting or running work.</summary>
    public int Networks => _clients.Count;

    /// <summary>
    /// Returns the number of threads that one network may use. It is half of the threads, so that other networks need not wait until this network's work has
    /// ended.
    /// </summary>
    public static int MaxRunningOf(int threads) => Math.Max(1, threads / 2);

    /// <summary>Adds a work item of a network.</summary>
    /// <param name="work">The work item.</param>
    /// <param name="network">The network of the client.</param>
    /// <param name="bytes">The size, in bytes, of the client's handshake messages so far.</param>
    public void Add(IThreadPoolWorkItem work, IPAddress network, int bytes)
    {
        if (!_clients.TryGetValue(network, out Client? client))
        {
            client = new Client { Network = network, UsedTicks = _virtualTicks };
            _clients.Add(network, client);
        }

        client.Work.Enqueue(work, (bytes / BytesPerClass, _added++));
        MakeReady(client);
    }

    /// <summary>Takes the next work item. Returns false if no work item can run now.</summary>
    public bool TryTake(out Turn turn)
    {
        turn = default;
        if (!_ready.TryDequeue(out Client? client, out long used))
        {
            return false;
        }

        _virtualTicks = Math.Max(_virtualTicks, used);
        client.IsReady = false;
        client.Running++;
        client.UsedTicks += s_expectedTicks;
        IThreadPoolWorkItem work = client.Work.Dequeue();
        turn = new Turn(work, client.Network);
        MakeReady(client);
        return true;
    }

    /// <summary>Records the end of a work item.</summary>
    /// <param name="turn">The work item that was taken.</param>
    /// <param name="ticks">The duration of the work item, in ticks of <see cref="Stopwatch"/>.</param>
    public void Done(Turn turn, long ticks)
    {
        Client client = _clients[turn.Network];
        client.Running--;
        client.UsedTicks += ticks - s_expectedTicks;
        MakeReady(client);
        if (client.Running == 0 && client.Work.Count == 0)
        {
            _clients.Remove(turn.Network);
        }
    }

    private void MakeReady(Client client)
    {
        if (!client.IsReady && client.Work.Count > 0 && client.Running < maxRunning)
        {
            client.IsReady = true;
            _ready.Enqueue(client, client.UsedTicks);
        }
    }

    private sealed class Client
    {
        public required IPAddress Network { get; init; }

        public PriorityQueue<IThreadPoolWorkItem, (int SizeClass, long Number)> Work { get; } = new();

        public long UsedTicks { get; set; }

        public int Running { get; set; }

        public bool IsReady { get; set; }
    }
}
