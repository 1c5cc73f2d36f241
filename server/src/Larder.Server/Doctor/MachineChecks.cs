using Larder.Server.Configuration;

namespace Larder.Server.Doctor;

/// <summary>Checks the limits and the state of the machine.</summary>
internal static class MachineChecks
{
    // The store takes its memory in regions of 64 MiB (ADR-0029). The runtime and libraries need fewer mappings than this.
    private const long OtherMappings = 10_000;
    private const long RegionBytes = 64 << 20;

    // The server asks for this backlog, but the operating system limits it.
    private const int WantedBacklog = 512;

    public static IEnumerable<Finding> Run(ServerOptions options, Machine machine) =>
    [
        Descriptors(options, machine),
        .. Memory(options, machine),
        Mappings(options, machine),
        HugePages(machine),
        Backlog(machine),
        .. Clock(machine),
    ];

    private static Finding Descriptors(ServerOptions options, Machine machine)
    {
        const string Subject = "open files";
        string fix = $"run 'ulimit -n {options.MaxConnections + 1000}' before the start; in a systemd unit, set LimitNOFILE={options.MaxConnections + 1000}";
        try
        {
            int possible = machine.Connections(options.MaxConnections);
            return possible >= options.MaxConnections
                ? Finding.Ok(Subject, $"the limit allows {possible} connections")
                : Finding.Warning(Subject, $"the limit allows {possible} connections, but --max-connections is {options.MaxConnections}", fix);
        }
        catch (ServerOptionsException error)
        {
            return Finding.Error(Subject, error.Message, fix);
        }
    }

    private static IEnumerable<Finding> Memory(ServerOptions options, Machine machine)
    {
        const string Subject = "memory";
        string limit = ByteSize.Format(options.MemoryBytes), all = ByteSize.Format(machine.MemoryBytes);
        string smaller = $"pass --memory {(machine.MemoryBytes / 2) >> 20}m or less";
        long? available = machine.Meminfo("MemAvailable");
        yield return options.MemoryBytes > machine.MemoryBytes
            ? Finding.Error(Subject, $"--memory is {limit}, but the machine or container has {all}; the server may be killed when it fills up", smaller)
            : options.MemoryBytes > machine.MemoryBytes / 10 * 8
                ? Finding.Warning(Subject, $"--memory is {limit} of {all}; the program itself needs memory too", smaller)
                : options.MemoryBytes > available
                    ? Finding.Warning(
                        Subject,
                        $"--memory is {limit}, but other processes leave only {ByteSize.Format(available.Value)}",
                        "stop other processes, or lower --memory")
                    : Finding.Ok(Subject, $"--memory is {limit} of {all}");

        // In this mode the operating system counts address space as if it were used.
        if (machine.Number("/proc/sys/vm/overcommit_memory") == 2
            && machine.Meminfo("CommitLimit") - machine.Meminfo("Committed_AS") is { } room && room < options.MemoryBytes)
        {
            yield return Finding.Warning(
                "overcommit",
                $"vm.overcommit_memory is 2, which leaves {ByteSize.Format(room)} for new memory, but --memory is {limit}",
                "run 'sysctl vm.overcommit_memory=0', or lower --memory");
        }
    }

    private static Finding Mappings(ServerOptions options, Machine machine)
    {
        const string Subject = "vm.max_map_count";
        long needed = OtherMappings + (2 * options.MemoryBytes / RegionBytes);
        return machine.Number("/proc/sys/vm/max_map_count") is not { } most
            ? Finding.Skipped(Subject, "unknown on this system")
            : most >= needed
                ? Finding.Ok(Subject, $"{most}, and the server needs at most {needed}")
                : Finding.Warning(Subject, $"{most}, but the server may need {needed}", $"run 'sysctl vm.max_map_count={Math.Max(65_530, needed)}'");
    }

    private static Finding HugePages(Machine machine)
    {
        const string Subject = "huge pages";
        const string Path = "/sys/kernel/mm/transparent_hugepage/enabled";
        // Measured on 2026-11-30 with --memory 512m, full and with evictions: 550 MB resident if they are on for all memory, otherwise 540 MB.
        return machine.Line(Path) is not { } modes ? Finding.Skipped(Subject, "the state of transparent huge pages is unknown on this system")
            : modes.Contains("[always]", StringComparison.Ordinal)
                ? Finding.Ok(Subject, "transparent huge pages are on for all memory; the server was measured to use 2 % more memory with them")
                : Finding.Ok(Subject, "transparent huge pages are not on for all memory");
    }

    private static Finding Backlog(Machine machine)
    {
        const string Subject = "backlog";
        return machine.Number("/proc/sys/net/core/somaxconn") is not { } most
            ? Finding.Skipped(Subject, "unknown on this system")
            : most >= WantedBacklog
                ? Finding.Ok(Subject, $"net.core.somaxconn is {most}")
                : Finding.Warning(
                    Subject,
                    $"net.core.somaxconn is {most}, so connections may be refused if many clients connect at once",
                    $"run 'sysctl net.core.somaxconn={WantedBacklog * 8}'");
    }

    private static IEnumerable<Finding> Clock(Machine machine)
    {
        const string Subject = "clock";
        yield return machine.IsClockSynchronised() switch
        {
            true => Finding.Ok(Subject, "synchronised"),
            null => Finding.Skipped(Subject, "the operating system does not report whether the clock is synchronised"),
            false => Finding.Warning(
                Subject,
                "not synchronised, so tokens may expire early or late, and certificates may be rejected",
                "install a time service such as chrony or systemd-timesyncd"),
        };
        const string Path = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
        if (machine.Line(Path) is "hpet" or "acpi_pm" or "jiffies")
        {
            yield return Finding.Warning(
                "clock source",
                $"{machine.Line(Path)}, which is slow to read and makes each call slower",
                $"choose a faster one from /sys/devices/system/clocksource/clocksource0/available_clocksource, such as tsc, and write it to {Path}");
        }
    }
}
