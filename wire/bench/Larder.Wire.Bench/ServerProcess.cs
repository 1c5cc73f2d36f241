using System.Diagnostics;

namespace Larder.Wire.Bench;

/// <summary>The server in a process of its own, which ends with its input.</summary>
internal sealed class ServerProcess : IDisposable
{
    private readonly Process _process;

    private ServerProcess(Process process, Uri endpoint)
    {
        _process = process;
        Endpoint = endpoint;
    }

    public Uri Endpoint { get; }

    /// <summary>The processor time that the server has used.</summary>
    public TimeSpan CpuTime
    {
        get
        {
            _process.Refresh();
            return _process.TotalProcessorTime;
        }
    }

    public static async Task<ServerProcess> StartAsync()
    {
        ProcessStartInfo start = new(Environment.ProcessPath!, [Path.Combine(AppContext.BaseDirectory, "Larder.Wire.Bench.dll"), "serve"])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        if (!Path.GetFileNameWithoutExtension(start.FileName).Equals("dotnet", StringComparison.Ordinal))
        {
            start.ArgumentList.RemoveAt(0);
        }

        Process process = Process.Start(start) ?? throw new InvalidOperationException("The server did not start.");
        string address = await process.StandardOutput.ReadLineAsync() ?? throw new InvalidOperationException("The server ended without an address.");
        return new ServerProcess(process, new Uri(address));
    }

    public void Dispose()
    {
        _process.StandardInput.Close();
        _process.WaitForExit();
        _process.Dispose();
    }
}
