using System.Runtime.InteropServices;

namespace Larder.Near.Tests.Machines;

/// <summary>One call on a client's near state, packed into 64 bits. Fields that a kind does not use are 0.</summary>
/// <param name="Kind">The kind of call.</param>
/// <param name="Now">The time, in units.</param>
/// <param name="Stream">The stream's number, from 1.</param>
/// <param name="Operation">The near get's number, from 0.</param>
/// <param name="Key">The key's number, from 0.</param>
/// <param name="Version">One plus the version that was read, or 0 for a miss.</param>
/// <param name="Tickets">
/// The received tickets, one bit for each. If the call delivers the response to a get, this is instead one plus the index of the response's ticket, or 0 if the
/// response has no ticket.
/// </param>
/// <param name="Time">The time when the request was sent, or the remaining TTL of a value (0 if unlimited), in units.</param>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal readonly record struct ClientCall(
    ClientCallKind Kind,
    byte Now = 0,
    byte Stream = 0,
    byte Operation = 0,
    byte Key = 0,
    byte Version = 0,
    byte Tickets = 0,
    byte Time = 0)
{
    public ulong Packed => MemoryMarshal.Cast<ClientCall, ulong>(new ReadOnlySpan<ClientCall>(in this))[0];

    public static ClientCall Of(ulong packed) => MemoryMarshal.Cast<ulong, ClientCall>(new ReadOnlySpan<ulong>(in packed))[0];
}
