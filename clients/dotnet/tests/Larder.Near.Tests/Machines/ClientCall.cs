using System.Runtime.InteropServices;

namespace Larder.Near.Tests.Machines;

/// <summary>One call on a client's near state, in 64 bits. What a kind does not need is 0.</summary>
/// <param name="Kind">What is called.</param>
/// <param name="Now">The time, in units.</param>
/// <param name="Stream">The stream, from 1.</param>
/// <param name="Operation">The near get, from 0.</param>
/// <param name="Key">The key, from 0.</param>
/// <param name="Version">The value that was read and one; 0: a miss.</param>
/// <param name="Tickets">The tickets that came, a bit for each; of an answer, its key's number and one (0: none).</param>
/// <param name="Time">When it was sent, or what a value has left (0: for ever), in units.</param>
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
