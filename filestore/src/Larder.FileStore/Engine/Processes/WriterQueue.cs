using System.Runtime.InteropServices;

namespace Larder.FileStore.Engine;

/// <summary>
/// The order in which waiting writers of a machine get the write lock: first come, first served. The queue only orders the writers. The lock of the sidecar
/// ensures mutual exclusion. Therefore a ticket whose holder died only delays the next writer by <see cref="StallMs"/>.
/// </summary>
/// <remarks>
/// A writer that arrives while the lock is free takes the lock, even if other writers are sleeping. Passing the lock to a sleeping writer each time would cost
/// a context switch for each write, and on a loaded machine a scheduler time slice. After the first writer of the queue has waited for <see cref="UrgentMs"/>,
/// every new writer must join the queue.
/// Offsets in the sidecar's memory: 256 the next ticket · 320 the ticket being served · 384 set to 1 if new writers must join the queue · 512 array of 64
/// futex words on which waiters sleep. Each word contains the last ticket that was called on that word, so that a call wakes one waiter instead of all waiters.
/// </remarks>
internal sealed unsafe class WriterQueue(byte* memory)
{
    /// <summary>How long a waiter sleeps before it tries to take the lock although its ticket has not been called.</summary>
    internal const int StallMs = 15;

    /// <summary>After this wait, the first writer of the queue takes precedence over all other writers.</summary>
    internal const int UrgentMs = 100;
    private const int QueueSlots = 64;
    private const int FutexWait = 0;
    private const int FutexWake = 1;

    private static readonly nint FutexNumber = !OperatingSystem.IsLinux() || nint.Size != 8 ? 0 : RuntimeInformation.ProcessArchitecture switch
    {
        Architecture.X64 => 202,
        Architecture.Arm64 => 98,
        _ => 0,
    };

    private ref int Next => ref *(int*)(memory + 256);

    private ref int Served => ref *(int*)(memory + 320);

    private ref int Urgent => ref *(int*)(memory + 384);

    /// <summary>Gets whether a writer outside the queue may try to take the lock.</summary>
    internal bool IsOpen => IsEmpty || Volatile.Read(ref Urgent) == 0;

    /// <summary>Records that the first writer of the queue has waited for <see cref="UrgentMs"/>. New writers must then join the queue.</summary>
    internal void Press() => Volatile.Write(ref Urgent, 1);

    internal bool IsEmpty => Volatile.Read(ref Next) == Volatile.Read(ref Served);

    internal int Join() => Interlocked.Increment(ref Next) - 1;

    internal bool IsTurnOf(int ticket) => Volatile.Read(ref Served) - ticket >= 0;

    /// <summary>
    /// Sleeps until <paramref name="ticket"/> is called or the time has elapsed. Returns immediately if the ticket was called after the caller's last check.
    /// </summary>
    internal void Sleep(int ticket, bool wasTurn, int milliseconds)
    {
        int* seat = QueueSlotOf(ticket);
        int seen = Volatile.Read(ref *seat);
        if (!wasTurn && IsTurnOf(ticket))
        {
            return;
        }
        if (FutexNumber == 0)
        {
            _ = NativeMethods.SleepMicroseconds((uint)Math.Min(milliseconds * 1000, 1000));
            return;
        }
        nint* time = stackalloc nint[2];
        (time[0], time[1]) = (milliseconds / 1000, milliseconds % 1000 * 1_000_000);
        _ = NativeMethods.SystemCall(FutexNumber, seat, FutexWait, seen, time, 0, 0);
    }

    /// <summary>Allows the writers with tickets up to <paramref name="served"/> to try to take the lock, and wakes the writer whose turn it is.</summary>
    internal void AdvanceTo(int served)
    {
        int now = Volatile.Read(ref Served);
        while (served - now > 0)
        {
            int before = Interlocked.CompareExchange(ref Served, served, now);
            if (before == now)
            {
                break;
            }
            now = before;
        }
        Volatile.Write(ref Urgent, 0);
        if (!IsEmpty)
        {
            Call();
        }
    }

    /// <summary>Wakes the writer whose turn it is, after the lock was released.</summary>
    internal void Call()
    {
        int ticket = Volatile.Read(ref Served);
        int* seat = QueueSlotOf(ticket);
        Volatile.Write(ref *seat, ticket);
        if (FutexNumber != 0)
        {
            _ = NativeMethods.SystemCall(FutexNumber, seat, FutexWake, 1, null, 0, 0);
        }
    }

    private int* QueueSlotOf(int ticket) => (int*)(memory + 512) + (ticket & (QueueSlots - 1));
}
