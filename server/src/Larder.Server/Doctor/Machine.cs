using System.Globalization;
using System.Runtime.InteropServices;

namespace Larder.Server.Doctor;

/// <summary>The state of the machine, as the operating system reports it. Tests replace the methods.</summary>
internal partial class Machine
{
    // The result of adjtimex if the clock is not synchronised.
    private const int ClockError = 5;

    /// <summary>Gets the memory that this process may use: that of the machine or of its container.</summary>
    public virtual long MemoryBytes => ServerOptions.MachineMemoryBytes;

    /// <summary>Returns the first line of a file of the operating system, or null if it cannot be read.</summary>
    public virtual string? Line(string path) => Text(path)?.Split('\n')[0].Trim();

    /// <summary>Returns a value of <c>/proc/meminfo</c> in bytes, or null if it cannot be read.</summary>
    public virtual long? Meminfo(string name)
    {
        string? line = Text("/proc/meminfo")?.Split('\n').FirstOrDefault(each => each.StartsWith(name + ":", StringComparison.Ordinal));
        string? kilobytes = line?.Split(' ', StringSplitOptions.RemoveEmptyEntries).ElementAtOrDefault(1);
        return long.TryParse(kilobytes, NumberStyles.None, CultureInfo.InvariantCulture, out long count) ? count * 1024 : null;
    }

    /// <summary>Returns the number in the first line of a file of the operating system, or null if it cannot be read.</summary>
    public long? Number(string path) => long.TryParse(Line(path), NumberStyles.None, CultureInfo.InvariantCulture, out long number) ? number : null;

    /// <summary>Returns the number of connections that the limit of open files allows, at most <paramref name="asked"/>.</summary>
    /// <exception cref="ServerOptionsException">The limit does not allow even one connection.</exception>
    public virtual int Connections(int asked) => DescriptorLimit.Connections(asked);

    /// <summary>Returns whether the clock is synchronised, or null if the operating system does not report it.</summary>
    public virtual bool? IsClockSynchronised()
    {
        if (!OperatingSystem.IsLinux())
        {
            return null;
        }

        ClockQuery query = default;
        return AdjustClock(ref query) is >= 0 and int state ? state != ClockError : null;
    }

    private static string? Text(string path)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    // The call reads the state and changes nothing, because the first field, which selects what to change, is 0.
    [LibraryImport("libc", EntryPoint = "adjtimex")]
    private static partial int AdjustClock(ref ClockQuery query);

    // Larger than the structure of the operating system, which has 208 bytes. Only the result of the call is used.
    [StructLayout(LayoutKind.Sequential, Size = 256)]
    private struct ClockQuery
    {
        public uint Modes;
    }
}
