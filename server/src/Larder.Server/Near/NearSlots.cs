using Larder.Store;

namespace Larder.Server.Near;

/// <summary>
/// Stores for each ticket which near streams must be notified when a key with this ticket changes, and the changes that have not been delivered to the streams.
/// A stream registers before it reads. When a write is visible, the writer moves all registrations of the ticket to the log (NEAR-4), which takes the same time
/// for any number of streams. Thread-safe.
/// </summary>
/// <remarks>
/// Each ticket has a word of 8 bytes, 8 MiB in total, which contains up to four streams. More streams are in a set. A stripe contains the sets and the logged
/// changes of blocks of 64 tickets, and protects the words of these tickets against concurrent writes. If the log of a stripe is full, later changes are only
/// counted for each stream, which must then be cleared. A writer therefore never waits for a delivery.
/// </remarks>
/// <param name="capacity">Stream numbers are less than this, at most <see cref="NearWord.MaxNumbers"/>.</param>
internal sealed class NearSlots(int capacity)
{
    /// <summary>The maximum number of logged changes of a stripe. Later changes are counted for each stream.</summary>
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

    /// <summary>Returns whether a stream is registered for a ticket.</summary>
    public bool IsNoted(uint ticket, int stream)
    {
        Stripe stripe = StripeOf(ticket);
        lock (stripe.Gate)
        {
            return Contains(stripe, ticket, stream);
        }
    }

    /// <summary>Returns whether any stream is registered for a ticket.</summary>
    public bool HasAny(uint ticket) => Volatile.Read(ref _words[ticket]) != 0;

    /// <summary>Moves all registrations of a ticket to the log, so that each stream is notified once. Returns false if no stream was registered.</summary>
    public bool Log(uint ticket)
    {
        int number = NumberOfStripe(ticket);
        Stripe stripe = _stripes[number];
        lock (stripe.Gate)
        {
            ulong word = _words[ticket];
            if (word == 0)
            {
                return false;
            }

            // The bit is set before the word is emptied. Another writer of the key that finds the word empty then also finds the bit (HasLogged).
            if (!stripe.IsLogged)
            {
                stripe.IsLogged = true;
                Interlocked.Or(ref _logged[number / BitsOfWord], 1UL << (number % BitsOfWord));
            }

            ushort[]? cells = null;
            if (word == NearWord.IsSet)
            {
                stripe.Sets.Remove(ticket, out cells);
            }

            Volatile.Write(ref _words[ticket], 0);
            stripe.Add(new NearChange(ticket, word, cells), capacity);
            return true;
        }
    }

    /// <summary>Moves all changes from the log to a list, or if the log of a stripe was full, to the numbers of used registrations per stream.</summary>
    /// <param name="into">Receives the changes.</param>
    /// <param name="counted">Receives for each stream the number of registrations whose tickets are not in the list. The stream must be cleared.</param>
    /// <returns>What the caller must clear.</returns>
    public NearLoss TakeLogged(List<NearChange> into, int[] counted)
    {
        NearLoss loss = NearLoss.None;
        for (int word = 0; word < _logged.Length; word++)
        {
            for (ulong bits = Volatile.Read(ref _logged[word]); bits != 0; bits &= bits - 1)
            {
                ulong bit = bits & (~bits + 1);
                Stripe stripe = _stripes[(word * BitsOfWord) + System.Numerics.BitOperations.TrailingZeroCount(bits)];
                lock (stripe.Gate)
                {
                    // If the list cannot grow, the changes stay in the log and the bit stays set.
                    into.AddRange(stripe.Logged);
                    NearLoss lost = stripe.Clear(counted);
                    loss = lost > loss ? lost : loss;
                    Interlocked.And(ref _logged[word], ~bit);
                    if (stripe.Logged.Capacity > RetainedCapacity)
                    {
                        stripe.Logged.Capacity = RetainedCapacity;
                    }
                }
            }
        }

        return loss;
    }

    /// <summary>Adds the tickets of a block for which a stream is registered to a list.</summary>
    /// <param name="stream">The stream's number.</param>
    /// <param name="first">The first ticket of the block (<see cref="NearBlocks"/>).</param>
    /// <param name="noted">Receives the tickets.</param>
    public void Find(int stream, uint first, List<uint> noted)
    {
        Stripe stripe = StripeOf(first);
        lock (stripe.Gate)
        {
            for (uint ticket = first; ticket < first + NearBlocks.Tickets; ticket++)
            {
                if (_words[ticket] != 0 && Contains(stripe, ticket, stream))
                {
                    noted.Add(ticket);
                }
            }
        }
    }

    /// <summary>Removes the registrations of a stream in a block of tickets. Returns their number.</summary>
    /// <param name="stream">The stream's number.</param>
    /// <param name="first">The first ticket of the block (<see cref="NearBlocks"/>).</param>
    public int Forget(int stream, uint first)
    {
        int removed = 0;
        Stripe stripe = StripeOf(first);
        lock (stripe.Gate)
        {
            for (uint ticket = first; ticket < first + NearBlocks.Tickets; ticket++)
            {
                if (_words[ticket] != 0 && Remove(stripe, ticket, stream))
                {
                    removed++;
                }
            }
        }

        return removed;
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

    private bool Contains(Stripe stripe, uint ticket, int stream)
    {
        ulong word = _words[ticket];
        return word == NearWord.IsSet ? new NearSet(stripe.Sets[ticket]).Contains(stream) : NearWord.Contains(word, stream);
    }

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

        // The memory of a ticket must follow its number of registrations, because only the registrations have a limit (NEAR-9).
        if (set.Count <= NearWord.MaxStreams)
        {
            Span<ushort> numbers = stackalloc ushort[NearWord.MaxStreams];
            set.CopyTo(numbers);
            ulong few = 0;
            foreach (ushort number in numbers[..set.Count])
            {
                few = NearWord.With(few, number);
            }

            stripe.Sets.Remove(ticket);
            Volatile.Write(ref word, few);
        }
        else if (set.Shrunk() is { } smaller)
        {
            stripe.Sets[ticket] = smaller.Cells;
        }

        return true;
    }

    private sealed class Stripe
    {
        public Lock Gate { get; } = new();

        public Dictionary<uint, ushort[]> Sets { get; } = [];

        public List<NearChange> Logged { get; } = [];

        // Whether the bit of the stripe is set.
        public bool IsLogged { get; set; }

        // The number of registrations per stream that a change has used while the log was full.
        private int[]? Counted { get; set; }

        private bool IsLost { get; set; }

        public void Add(in NearChange change, int capacity)
        {
            try
            {
                if (Logged.Count < MaxLogged)
                {
                    Logged.Add(change);
                }
                else
                {
                    change.CountInto(Counted ??= new int[capacity]);
                }
            }
            catch (OutOfMemoryException)
            {
                // The registrations are already removed, so every stream must be cleared.
                IsLost = true;
            }
        }

        public NearLoss Clear(int[] counted)
        {
            NearLoss loss = IsLost ? NearLoss.All : Counted is null ? NearLoss.None : NearLoss.Counted;
            for (int stream = 0; stream < Counted?.Length; stream++)
            {
                counted[stream] += Counted[stream];
            }

            Counted = null;
            IsLost = false;
            IsLogged = false;
            Logged.Clear();
            return loss;
        }
    }
}
