using System.Runtime.InteropServices;
using Larder.Wire.Sockets;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Console;

namespace Larder.Server;

/// <summary>The server as a process: its start line on stdout, its logs on stderr, and its end by SIGTERM or Ctrl+C.</summary>
internal static class ServeProcess
{
    private const int Started = 0;
    private const int CouldNotStart = 2;

    public static async Task<int> RunAsync(ServerOptions options, CancellationToken cancelled)
    {
        if (options.IsFront || Reactor.IsDefault)
        {
            // Before the pool's first thread, which reads it: ADR-0076, ADR-0102.
            AppContext.SetData("System.Threading.ThreadPool.UnfairSemaphoreSpinLimit", 0);
        }

        using ILoggerFactory loggers = LoggerFactory.Create(logging => Configure(logging, options));
        TaskCompletionSource stop = new(TaskCreationOptions.RunContinuationsAsynchronously);
        using CancellationTokenSource starting = CancellationTokenSource.CreateLinkedTokenSource(cancelled);
        using PosixSignalRegistration terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, signal => Stop(signal, stop));
        using PosixSignalRegistration interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, signal => Stop(signal, stop));
        // A start may take long: a snapshot is loaded first.
        _ = stop.Task.ContinueWith(_ => starting.Cancel(), CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
        LarderServer? started = null;
        ServiceManager manager = ServiceManager.OfEnvironment();
        // A terminal that is closed, or a supervisor that means "read your files again", does not end a server.
        using PosixSignalRegistration hangUp = PosixSignalRegistration.Create(PosixSignal.SIGHUP, signal =>
        {
            signal.Cancel = true;
            if (Volatile.Read(ref started) is { } running)
            {
                manager.Reloading();
                running.Reload();
                manager.Ready();
            }
        });
        try
        {
            await using LarderServer server = await LarderServer.StartAsync(options, loggers, starting.Token).ConfigureAwait(false);
            Volatile.Write(ref started, server);
            StandardOutput.WriteLine(server.StartLine);
            manager.Ready();
            await stop.Task.ConfigureAwait(false);
            manager.Stopping();
            // Not disposed: from here on to the process's own end it is to be over in time.
            _ = new ShutdownDeadline(ShutdownDeadline.Limit, ShutdownDeadline.EndProcess, () => server.SnapshotProgress);
        }
        catch (OperationCanceledException) when (stop.Task.IsCompleted)
        {
            // Told to end before it had begun to serve.
        }
        catch (ServerOptionsException error)
        {
            await System.Console.Error.WriteLineAsync($"larder: {error.Message}").ConfigureAwait(false);
            return CouldNotStart;
        }

        return Started;
    }

    private static void Stop(PosixSignalContext signal, TaskCompletionSource stop)
    {
        // The process ends when the drain is over, not at once.
        signal.Cancel = true;
        stop.TrySetResult();
    }

    private static void Configure(ILoggingBuilder logging, ServerOptions options)
    {
        logging.SetMinimumLevel(options.LogLevel);
        logging.AddFilter("Microsoft", LogLevel.Warning);
        // A host that cannot start is said once, by the option to change, and not by its stack.
        logging.AddFilter("Microsoft.Extensions.Hosting.Internal.Host", LogLevel.None);
        bool isRead = !System.Console.IsErrorRedirected;
        if (options.LogFormat == LogFormat.Json || (options.LogFormat == LogFormat.Automatic && !isRead))
        {
            logging.AddJsonConsole(static console =>
            {
                console.UseUtcTimestamp = true;
                console.TimestampFormat = "yyyy-MM-ddTHH:mm:ss.fffZ";
            });
        }
        else
        {
            logging.AddSimpleConsole(console =>
            {
                console.SingleLine = true;
                console.UseUtcTimestamp = !isRead;
                console.TimestampFormat = isRead ? "HH:mm:ss.fff " : "yyyy-MM-ddTHH:mm:ss.fffZ ";
            });
        }

        logging.Services.Configure<ConsoleLoggerOptions>(console =>
        {
            console.LogToStandardErrorThreshold = LogLevel.Trace;
            // Where nobody reads, lines are dropped once the queue is full, and counted there: whoever logs never waits.
            console.QueueFullMode = ConsoleLoggerQueueFullMode.DropWrite;
        });
    }
}
