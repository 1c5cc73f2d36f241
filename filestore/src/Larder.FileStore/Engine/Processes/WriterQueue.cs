using System.Runtime.InteropServices;

namespace Larder.FileStore.Engine;

/// <summary>
/// The order in which writers of a machine that have to wait get the write lock: first come, first served. It orders, and does not
/// exclude: the lock itself is the sidecar's, so a ticket whose holder died costs the next one <see cref="StallMs"/> and nothing else.
/// </summary>
/// <remarks>
/// Who comes by while the lock is free takes it, though others sleep: handing it to a sleeper each time costs a change of processes for each write, and on a
/// loaded machine a turn of the scheduler. Only where the first of the queue has gone without for <see cref="UrgentMs"/> does everybody queue up.
/// In the sidecar's memory: 256 the next ticket · 320 the ticket being served · 384 1 while the first has waited for long · 512 64 words on which waiters sleep
/// (futex), each the last ticket called up there, so that a call wakes one waiter and not all.
/// </remarks>
internal sealed unsafe class WriterQueue(byte* memory)
{
    /// <summary>How long a waiter sleeps before it tries the lock although it was not called.</summary>
    internal const int StallMs = 15;

    /// <summary>After so long the first of the queue is let through before all others.</summary>
    internal const int UrgentMs = 100;
    private const int Seats = 64;
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

    /// <summary>Whether one that does not queue may try the lock.</summary>
    internal bool IsOpen => IsEmpty || Volatile.Read(ref Urgent) == 0;

    /// <summary>The first has waited for long.</summary>
    internal void Press() => Volatile.Write(ref Urgent, 1);

    internal bool IsEmpty => Volatile.Read(ref Next) == Volatile.Read(ref Served);

    internal int Join() => Interlocked.Increment(ref Next) - 1;

    internal bool IsTurnOf(int ticket) => Volatile.Read(ref Served) - ticket >= 0;

    /// <summary>Sleeps until <paramref name="ticket"/> is called, or for so long. A call that came since the caller looked is not slept through.</summary>
    internal void Sleep(int ticket, bool wasTurn, int milliseconds)
    {
        int* seat = SeatOf(ticket);
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

    /// <summary>Says that all up to <paramref name="served"/> may try, and calls that one up.</summary>
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

    /// <summary>Wakes the one whose turn it is: the lock has come free.</summary>
    internal void Call()
    {
        int ticket = Volatile.Read(ref Served);
        int* seat = SeatOf(ticket);
        Volatile.Write(ref *seat, ticket);
        if (FutexNumber != 0)
        {
            _ = NativeMethods.SystemCall(FutexNumber, seat, FutexWake, 1, null, 0, 0);
        }
    }

    private int* SeatOf(int ticket) => (int*)(memory + 512) + (ticket & (Seats - 1));
}
