using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;

namespace Larder.FileStore.Tests.Support;

/// <summary>Another process on the same cache file: Larder.FileStore.Peer, told what to do through its standard input.</summary>
internal sealed partial class Peer : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(90);
    private const int SigStop = 19;
    private const int SigContinue = 18;
    private readonly Process _process;

    private Peer(Process process) => _process = process;

    internal int Id => _process.Id;

    internal bool HasExited => _process.HasExited;

    internal static string Program => Path.Combine(
        AppContext.BaseDirectory.Replace("Larder.FileStore.Tests", "Larder.FileStore.Peer", StringComparison.Ordinal), "Larder.FileStore.Peer.dll");

    /// <summary>Starts the process and waits until its cache is open.</summary>
    internal static Peer Start(ScratchFolder folder, params string[] options) => Ready(StartUnready(["dotnet"], folder, options));

    /// <summary>Waits until its cache is open.</summary>
    internal static Peer Ready(Peer peer)
    {
        string? answer = peer.ReadLine();
        Assert.Equal("ready", answer);
        return peer;
    }

    /// <summary>Starts it behind another command, such as strace.</summary>
    internal static Peer StartUnready(string[] command, ScratchFolder folder, params string[] options)
    {
        ProcessStartInfo start = new(command[0], [.. command[1..], "exec", Program, folder.Path, .. options])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        // A killed process leaves its diagnostics socket behind, and a tiered one compiles on threads of its own.
        start.Environment["DOTNET_EnableDiagnostics"] = "0";
        return new Peer(Process.Start(start)!);
    }

    internal string Do(string command)
    {
        Send(command);
        return ReadLine() ?? throw new EndOfStreamException("The process ended.");
    }

    internal void Send(string command)
    {
        _process.StandardInput.WriteLine(command);
        _process.StandardInput.Flush();
    }

    /// <summary>The next line of its output; null once it has ended.</summary>
    internal string? ReadLine()
    {
        Task<string?> line = _process.StandardOutput.ReadLineAsync();
        Assert.True(line.Wait(Patience), "The other process did not answer in time.");
        return line.Result;
    }

    internal void Stop() => Assert.Equal(0, Signal(Id, SigStop));

    internal void Continue() => Assert.Equal(0, Signal(Id, SigContinue));

    internal void Kill()
    {
        _process.Kill();
        Assert.True(_process.WaitForExit(Patience));
    }

    /// <summary>What it wrote until it ended.</summary>
    internal string RestOfOutput() => _process.StandardOutput.ReadToEnd();

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill(entireProcessTree: true);
            _process.WaitForExit();
        }
        _process.Dispose();
    }


    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int Signal(int process, int signal);
}
