using System.Diagnostics;
using System.Net;

namespace Larder.Wire.Sockets;

/// <summary>
/// Orders the work of TLS handshakes so that each client's network gets an equal share of the time (start-time fair queueing), and bounds how much of one
/// network runs at once. Within a network small handshakes go first: what verifying a certificate chain costs grows with its bytes, so that long chains delay
/// each other and not the clients behind the same address. Not thread-safe.
/// </summary>
/// <param name="maxRunning">Pieces of work of one network that run at once.</param>
internal sealed class HandshakeQueue(int maxRunning)
{
    // A handshake is two pieces of some 0.2 ms. Charged when a piece begins, so that a network does not get every thread before its first piece has ended.
    private static readonly long s_expectedTicks = Stopwatch.Frequency / 5_000;

    // Handshakes of about one size keep their order. One certificate with its signature has 0.6 to 2 KB.
    private const int BytesPerClass = 2 * 1024;

    // Networks that have work or run some: at most as many as there are connections.
    private readonly Dictionary<IPAddress, Client> _clients = [];

    // Those that have work and run less than the bound, by the time that they have used.
    private readonly PriorityQueue<Client, long> _ready = new();

    // What a network that comes now has used: as much as the one that ran last.
    private long _virtualTicks;
    private long _added;

    /// <summary>One piece of work, taken to be run.</summary>
    public readonly record struct Turn(IThreadPoolWorkItem Work, IPAddress Network);

    /// <summary>Networks that have work now.</summary>
    public int Networks => _clients.Count;

    /// <summary>How many threads one network may have: half of them, so that others need not wait until its work is done.</summary>
    public static int MaxRunningOf(int threads) => Math.Max(1, threads / 2);

    /// <summary>Adds work of a network.</summary>
    /// <param name="work">The work.</param>
    /// <param name="network">Where its client is.</param>
    /// <param name="bytes">The client's handshake messages so far.</param>
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

    /// <summary>Takes the work that is next; false if none may run now.</summary>
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

    /// <summary>Work has ended.</summary>
    /// <param name="turn">What was taken.</param>
    /// <param name="ticks">How long it ran, in ticks of <see cref="Stopwatch"/>.</param>
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
