using Larder.Server;

return await new ServeCommand().RunAsync(args, ServeProcess.RunAsync).ConfigureAwait(false);
