using System.Diagnostics;
using System.Text.RegularExpressions;

namespace Larder.Server.Tests.Faults;

/// <summary>The server as its users run it: a process of its own, with signals, an exit code and a memory of its own.</summary>
internal sealed partial class ServedProcess : IDisposable
{
    private const string FullPipe =
        """
        import os, sys
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        try:
            while True:
                os.write(writer, b"x")
        except BlockingIOError:
            os.set_blocking(writer, True)
        os.dup2(writer, 2)
        os.set_inheritable(reader, True)
        os.execvp("dotnet", ["dotnet", *sys.argv[1:]])
        """;

    private readonly Process _process;
    private readonly Task<string> _log;

    private ServedProcess(Process process, Uri endpoint, Uri console)
    {
        _process = process;
        Endpoint = endpoint;
        Console = console;
        _log = process.StandardError.ReadToEndAsync();
    }

    public Uri Endpoint { get; }

    public Uri Console { get; }

    /// <summary>The memory of the process that is in RAM, in bytes.</summary>
    public long ResidentBytes
    {
        get
        {
            _process.Refresh();
            return _process.WorkingSet64;
        }
    }

    public static Task<ServedProcess> StartAsync(IReadOnlyDictionary<string, string>? environment = null, params string[] arguments) =>
        StartAsync(0, environment, arguments);

    /// <summary>Starts a server on a port that another has just left.</summary>
    public static Task<ServedProcess> SucceedAsync(ServedProcess gone, params string[] arguments) =>
        StartAsync(gone.Endpoint.Port, environment: null, arguments);

    /// <summary>Starts a server that may open this many files, connections among them.</summary>
    public static Task<ServedProcess> StartWithDescriptorsAsync(int descriptors) =>
        StartAsync(["bash", "-c", "ulimit -n $0; exec dotnet \"$@\"", $"{descriptors}"], 0, environment: null);

    /// <summary>Starts a server whose log goes to a full pipe that nobody reads.</summary>
    public static Task<ServedProcess> StartWithFullLogAsync() =>
        StartAsync(["python3", "-c", FullPipe], 0, environment: null);

    private static Task<ServedProcess> StartAsync(int port, IReadOnlyDictionary<string, string>? environment, params string[] arguments) =>
        StartAsync(["dotnet"], port, environment, arguments);

    private static async Task<ServedProcess> StartAsync(string[] runner, int port, IReadOnlyDictionary<string, string>? environment, params string[] arguments)
    {
        string server = Path.Combine(AppContext.BaseDirectory, "larder-server.dll");
        string[] console = arguments.Contains("--console-port") ? [] : ["--console-port", "0"];
        ProcessStartInfo start = new(runner[0], [.. runner[1..], server, "--port", $"{port}", .. console, "--memory", "64m", .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach ((string name, string value) in environment ?? new Dictionary<string, string>())
        {
            start.Environment[name] = value;
        }

        Process process = Process.Start(start) ?? throw new InvalidOperationException("The server did not start.");
        string? line = await StartLineOfAsync(process);
        Match found = StartLine().Match(line ?? "");
        if (!found.Success)
        {
            string log = await process.StandardError.ReadToEndAsync();
            process.Kill();
            throw new InvalidOperationException($"The server said '{line}' and {log}");
        }

        return new ServedProcess(process, new Uri(found.Groups[1].Value), new Uri(found.Groups[2].Value));
    }

    // A server that says nothing fails its test, and does not stop all of them.
    private static async Task<string?> StartLineOfAsync(Process process)
    {
        try
        {
            return await process.StandardOutput.ReadLineAsync().WaitAsync(TimeSpan.FromSeconds(60));
        }
        catch (TimeoutException)
        {
            process.Kill();
            throw;
        }
    }

    /// <summary>
    /// Stops the process, and returns once it stands still: when <c>kill</c> returns the stop is only asked for, and a process that waits for a core still
    /// answers.
    /// </summary>
    public async Task StopAsync()
    {
        Signal("STOP");
        await Until.TrueAsync(() => Task.FromResult(IsStopped()), "the process stands still");
    }

    /// <summary>Sends a signal by its name: TERM, CONT.</summary>
    public void Signal(string name)
    {
        using Process kill = Process.Start("kill", [$"-{name}", $"{_process.Id}"]);
        kill.WaitForExit();
    }

    // The state as ps tells it begins with T once the whole process is being stopped: none of its threads returns from the kernel then.
    private bool IsStopped()
    {
        using Process ps = Process.Start(new ProcessStartInfo("ps", ["-o", "stat=", "-p", $"{_process.Id}"]) { RedirectStandardOutput = true })!;
        return ps.StandardOutput.ReadToEnd().TrimStart().StartsWith('T');
    }

    /// <summary>Waits for the end of the process and gives its exit code.</summary>
    public async Task<int> WaitForExitAsync(CancellationToken patience)
    {
        await _process.WaitForExitAsync(patience);
        return _process.ExitCode;
    }

    /// <summary>Everything that the process logged; it has ended.</summary>
    public Task<string> LogAsync() => _log;

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill();
            _process.WaitForExit();
        }

        _process.Dispose();
    }

    [GeneratedRegex(@"listening on (\S+) console (\S+)")]
    private static partial Regex StartLine();
}
