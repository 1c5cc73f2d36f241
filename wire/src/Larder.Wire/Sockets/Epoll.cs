using System.ComponentModel;
using System.Runtime.InteropServices;

namespace Larder.Wire.Sockets;

/// <summary>Uses Linux epoll, which reports which of many descriptors are readable or writable. The events are level-triggered.</summary>
internal sealed partial class Epoll
{
    public const uint Readable = 0x1;
    public const uint Writable = 0x4;

    /// <summary>The timeout that waits indefinitely.</summary>
    public const int Forever = -1;

    private const int CloseOnExec = 0x80000;
    private const int Add = 1;
    private const int Delete = 2;
    private const int Modify = 3;
    private const int Interrupted = 4;

    // The struct epoll_event is packed only on x64.
    private static readonly int s_tokenOffset = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 4 : 8;
    private static readonly int s_eventBytes = s_tokenOffset + sizeof(long);

    private readonly int _descriptor;

    /// <summary>Creates an instance that watches no descriptors.</summary>
    /// <exception cref="Win32Exception">There are no descriptors left, or the system does not permit epoll.</exception>
    public Epoll()
    {
        _descriptor = Create(CloseOnExec);
        if (_descriptor < 0)
        {
            throw new Win32Exception();
        }
    }

    /// <summary>Returns a buffer for the events of one wait. Read the buffer with <see cref="TokenAt"/> and <see cref="EventsAt"/>.</summary>
    public static byte[] Room(int events) => new byte[events * s_eventBytes];

    public static uint EventsAt(ReadOnlySpan<byte> room, int index) =>
        MemoryMarshal.Read<uint>(room[(index * s_eventBytes)..]);

    public static long TokenAt(ReadOnlySpan<byte> room, int index) =>
        MemoryMarshal.Read<long>(room[((index * s_eventBytes) + s_tokenOffset)..]);

    /// <summary>Watches a descriptor. Its events contain <paramref name="token"/>.</summary>
    /// <exception cref="IOException">The system's limit on watches is reached.</exception>
    public void Watch(int descriptor, uint events, long token) => Change(Add, descriptor, events, token);

    public void Rewatch(int descriptor, uint events, long token) => Change(Modify, descriptor, events, token);

    /// <summary>Stops watching a descriptor. Does nothing if the descriptor is not watched.</summary>
    public void Unwatch(int descriptor) => Control(Delete, descriptor, 0, 0);

    /// <summary>Waits for events and returns their number.</summary>
    public int Wait(byte[] room, int timeoutMs)
    {
        int count = Wait(_descriptor, ref MemoryMarshal.GetArrayDataReference(room), room.Length / s_eventBytes, timeoutMs);
        if (count >= 0)
        {
            return count;
        }

        return Marshal.GetLastPInvokeError() == Interrupted ? 0 : throw new Win32Exception();
    }

    private void Change(int operation, int descriptor, uint events, long token)
    {
        if (Control(operation, descriptor, events, token) < 0)
        {
            Win32Exception cause = new();
            throw new IOException($"The socket could not be registered with epoll: {cause.Message}", cause);
        }
    }

    private int Control(int operation, int descriptor, uint events, long token)
    {
        Span<byte> change = stackalloc byte[16];
        MemoryMarshal.Write(change, events);
        MemoryMarshal.Write(change[s_tokenOffset..], token);
        return Control(_descriptor, operation, descriptor, ref MemoryMarshal.GetReference(change));
    }

    [LibraryImport("libc", EntryPoint = "epoll_create1", SetLastError = true)]
    private static partial int Create(int flags);

    [LibraryImport("libc", EntryPoint = "epoll_ctl", SetLastError = true)]
    private static partial int Control(int epoll, int operation, int descriptor, ref byte change);

    [LibraryImport("libc", EntryPoint = "epoll_wait", SetLastError = true)]
    private static partial int Wait(int epoll, ref byte events, int room, int timeoutMs);
}
