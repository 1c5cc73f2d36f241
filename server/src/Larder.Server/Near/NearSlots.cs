using Larder.Store;

namespace Larder.Server.Near;

/// <summary>
/// Stores for each ticket which near streams must be notified when a key with this ticket changes, and the changes that have not been delivered to the streams.
/// A stream registers before it reads. When a write is visible, the writer moves all registrations of the ticket to the log (NEAR-4), which takes the same time
/// for any number of streams. Thread-safe.
/// </summary>
/// <remarks>
/// Each ticket has a word of 8 bytes, 8 MiB in total, which contains up to four streams. More streams are in a set. A stripe contains the sets and the logged
/// changes of blocks of 64 tickets, and protects the words of these tickets against concurrent writes.
/// </remarks>
/// <param name="capacity">Stream numbers are less than this, at most <see cref="NearWord.MaxNumbers"/>.</param>
internal sealed class NearSlots(int capacity)
{
    /// <summary>The number of logged changes of a stripe at which writers must wait for their delivery, so that the log has a limit.</summary>
    public const int MaxLogged = 1_024;

    private const int Stripes = 256;
    private const int BitsOfWord = 64;

    // The capacity of an empty list of logged changes.
    private const int RetainedCapacity = 64;

    private readonly ulong[] _words = new ulong[KeyTicket.Count];
    private readonly Stripe[] _stripes = [.. Enumerable.Range(0, Stripes).Select(static _ => new Stripe())];

    // One bit for each stripe with logged changes.
    private readonly ulong[] _logged = new ulong[Stripes / BitsOfWord];

    /// <summary>
    /// Gets whether changes are in the log. If a writer has found no registration, because a concurrent writer had moved it to the log, this property returns
    /// true until the change is taken from the log.
    /// </summary>
    public bool HasLogged
    {
        get
        {
            ulong all = 0;
            for (int word = 0; word < _logged.Length; word++)
            {
                all |= Volatile.Read(ref _logged[word]);
            }

            return all != 0;
        }
    }

    /// <summary>
    /// Registers a stream for a notification about the next change of a ticket. If another thread has taken the registrations before this call, a read after
    /// this call sees the write of that thread.
    /// </summary>
    /// <returns>False if the stream was already registered.</returns>
    public bool Note(uint ticket, int stream)
    {
        if (NearWord.Contains(Volatile.Read(ref _words[ticket]), stream))
        {
            return false;
        }

        bool isNew;
        lock (StripeOf(ticket).Gate)
        {
            isNew = Add(ticket, stream);
        }

        // The registration must be visible before the value is read.
        Interlocked.MemoryBarrier();
        return isNew;
    }

    /// <summary>Returns whether any stream is registered for a ticket.</summary>
    public bool HasAny(uint ticket) => Volatile.Read(ref _words[ticket]) != 0;

    /// <summary>Moves all registrations of a ticket to the log, so that each stream is notified once.</summary>
    /// <returns>The number of changes in the stripe's log, or 0 if no stream was registered.</returns>
    public int Log(uint ticket)
    {
        int number = NumberOfStripe(ticket);
        Stripe stripe = _stripes[number];
        lock (stripe.Gate)
        {
            ulong word = _words[ticket];
            if (word == 0)
            {
                return 0;
            }

            // The bit is set before the word is emptied. Another writer of the key that finds the word empty then also finds the bit (HasLogged).
            if (stripe.Logged.Count == 0)
            {
                Interlocked.Or(ref _logged[number / BitsOfWord], 1UL << (number % BitsOfWord));
            }

            ushort[]? cells = null;
            if (word == NearWord.IsSet)
            {
                stripe.Sets.Remove(ticket, out cells);
            }

            Volatile.Write(ref _words[ticket], 0);
            stripe.Logged.Add(new NearChange(ticket, word, cells));
            return stripe.Logged.Count;
        }
    }

    /// <summary>Moves all changes from the log to a list.</summary>
    public void TakeLogged(List<NearChange> into)
    {
        for (int word = 0; word < _logged.Length; word++)
        {
            for (ulong bits = Volatile.Read(ref _logged[word]); bits != 0; bits &= bits - 1)
            {
                ulong bit = bits & (~bits + 1);
                Stripe stripe = _stripes[(word * BitsOfWord) + System.Numerics.BitOperations.TrailingZeroCount(bits)];
                lock (stripe.Gate)
                {
                    Interlocked.And(ref _logged[word], ~bit);
                    into.AddRange(stripe.Logged);
                    stripe.Logged.Clear();
                    if (stripe.Logged.Capacity > RetainedCapacity)
                    {
                        stripe.Logged.Capacity = RetainedCapacity;
                    }
                }
            }
        }
    }

    /// <summary>Removes the registrations of a stream in a block of tickets, and adds their tickets to a list if there is one.</summary>
    /// <param name="stream">The stream's number.</param>
    /// <param name="first">The first ticket of the block (<see cref="NearBlocks"/>).</param>
    /// <param name="removed">Receives the tickets.</param>
    public void Forget(int stream, uint first, List<uint>? removed = null)
    {
        Stripe stripe = StripeOf(first);
        lock (stripe.Gate)
        {
            for (uint ticket = first; ticket < first + NearBlocks.Tickets; ticket++)
            {
                if (_words[ticket] != 0 && Remove(stripe, ticket, stream))
                {
                    removed?.Add(ticket);
                }
            }
        }
    }

    /// <summary>Removes all registrations of a stream.</summary>
    /// <param name="stream">The stream's number.</param>
    /// <param name="noted">The blocks that contain its registrations.</param>
    public void Forget(int stream, NearBlocks noted)
    {
        foreach (uint first in noted)
        {
            Forget(stream, first);
        }
    }

    private static int NumberOfStripe(uint ticket) => (int)(ticket / NearBlocks.Tickets % Stripes);

    private Stripe StripeOf(uint ticket) => _stripes[NumberOfStripe(ticket)];

    private bool Add(uint ticket, int stream)
    {
        ref ulong word = ref _words[ticket];
        if (word == NearWord.IsSet)
        {
            Dictionary<uint, ushort[]> sets = StripeOf(ticket).Sets;
            NearSet set = new(sets[ticket]);
            if (set.Contains(stream))
            {
                return false;
            }

            NearSet larger = set.With(stream, capacity);
            if (larger.Cells != set.Cells)
            {
                sets[ticket] = larger.Cells;
            }

            return true;
        }

        if (NearWord.Contains(word, stream))
        {
            return false;
        }

        if (NearWord.Count(word) < NearWord.MaxStreams)
        {
            Volatile.Write(ref word, NearWord.With(word, stream));
            return true;
        }

        Span<ushort> numbers = stackalloc ushort[NearWord.MaxStreams];
        NearWord.CopyTo(word, numbers);
        StripeOf(ticket).Sets.Add(ticket, NearSet.Of(numbers).With(stream, capacity).Cells);
        Volatile.Write(ref word, NearWord.IsSet);
        return true;
    }

    private bool Remove(Stripe stripe, uint ticket, int stream)
    {
        ref ulong word = ref _words[ticket];
        if (word != NearWord.IsSet)
        {
            ulong left = NearWord.Without(word, stream);
            bool isRemoved = left != word && NearWord.Count(left) < NearWord.Count(word);
            if (isRemoved)
            {
                Volatile.Write(ref word, left);
            }

            return isRemoved;
        }

        NearSet set = new(stripe.Sets[ticket]);
        if (!set.Remove(stream))
        {
            return false;
        }

        if (set.Count == 0)
        {
            stripe.Sets.Remove(ticket);
            Volatile.Write(ref word, 0);
        }

        return true;
    }

    private sealed class Stripe
    {
        public Lock Gate { get; } = new();

        public Dictionary<uint, ushort[]> Sets { get; } = [];

        public List<NearChange> Logged { get; } = [];
    }
}
